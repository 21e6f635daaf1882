"""The values that travel between the page, or any program, and the server."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from mineproof.position.topology import TopologyKind

__all__ = [
    "Act",
    "AdviceShown",
    "AgentChoice",
    "AgentKind",
    "AgentMove",
    "AgentTurn",
    "Analysis",
    "AnalysisAsked",
    "Asked",
    "BeliefNumber",
    "BeliefsShown",
    "BestShown",
    "CellOf",
    "ChanceShown",
    "ChancesShown",
    "Clash",
    "Contradicted",
    "Ended",
    "Explanation",
    "GameState",
    "GuessShown",
    "HintShown",
    "JobAsked",
    "JobShown",
    "JudgedShown",
    "LevelShown",
    "NewGame",
    "Notated",
    "Offer",
    "Position",
    "PresetShown",
    "Problem",
    "Replayed",
    "ReportShown",
    "ReviewAsked",
    "ReviewShown",
    "Risks",
    "RulesShown",
    "StepShown",
]

CellPair = Annotated[
    tuple[int, int], Field(description="Row and column, from 0.", examples=[[0, 3]])
]
Start = Literal["any", "safe", "zero"]
OnMine = Literal["end", "continue"]
Ended = Literal["won", "lost", "finished"]
Kind = Literal["open", "flag", "unflag", "chord", "wait"]


class Asked(BaseModel):
    """What a client sends: unknown fields are refused, so that a typing error is noticed."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """What went wrong, in one sentence."""

    detail: str


class NewGame(Asked):
    """The conditions of a new game: a level, or rows, cols and mines, or another game's."""

    level: str | None = Field(None, description="Size and mines by name, such as expert.")
    rows: int | None = None
    cols: int | None = None
    mines: int | None = None
    density: float | None = Field(None, description="The share of mines, instead of mines.")
    start: Start = Field("safe", description="What is free of mines around the first opening.")
    on_mine: OnMine = Field("end", description="Whether a mine ends the game.")
    cascade: bool = Field(True, description="Whether a zero opens its neighbours.")
    given_safe: int = Field(0, description="How many safe cells are known from the start.")
    channel: str = Field(
        "exact",
        description="What clues show: exact, lost:P, late:P, optimistic or cautious.",
        max_length=40,
    )
    no_guess: bool = Field(
        False, description="Whether the board must be solvable from the first cell by logic alone."
    )
    seed: int | None = Field(
        None, description="The seed of the board. By default the server draws one and keeps it."
    )
    like: str | None = Field(
        None,
        description="The id of a game that is over, to play its board again under its conditions.",
    )
    notation: str | None = Field(
        None,
        description="A game in mineproof's notation, to be played from its beginning.",
        max_length=1_000_000,
    )


class RulesShown(BaseModel):
    """The rules of a game."""

    start: Start
    on_mine: OnMine
    cascade: bool
    given_safe: int


class GameState(BaseModel):
    """All that a player may know about a game; the board and the seed only after its end."""

    id: str
    rows: int
    cols: int
    mines: int
    rules: RulesShown
    channel: str
    no_guess: bool = Field(description="Whether the board can be solved by logic alone.")
    cells: str = Field(
        description="One symbol per cell in row order: . closed, 0-8 a clue, ? open without a "
        "clue, ~ its clue has not arrived yet, F flag, s known safe, * exploded mine."
    )
    moves: int = Field(description="The number of moves so far.")
    steps: int = Field(description="The number of decisions so far; an agent's may have moves.")
    taken_back: int = Field(description="How often a decision was taken back.")
    alone: bool = Field(description="Whether a person made all moves.")
    outcome: Ended | None
    won: bool
    opened: int
    hits: int
    flags: int
    mines_left: int = Field(description="Mines minus flags and exploded mines.")
    wrong_flags: int | None = Field(description="Flags on safe cells; None before the end.")
    score: float | None = Field(description="The share of mines found; None before the end.")
    seconds: float = Field(description="The time since the first move, up to the end.")
    seed: int | None = Field(description="The seed of the board; None before the end.")
    board: list[CellPair] | None = Field(description="All mines; None before the end.")
    last: list[CellPair] = Field(description="The cells of the last decision.")


class Act(Asked):
    """One move of a person. To wait for a pending clue lets all pending clues arrive."""

    kind: Kind
    cell: CellPair


class AgentChoice(Asked):
    """Which agent is to move."""

    agent: str = Field(
        description="A name that GET /api/agents lists, with options after a colon.",
        examples=["logic", "border:nosplit+total"],
        max_length=200,
    )


class AgentMove(BaseModel):
    """One action of an agent, and how sure it was."""

    kind: Kind
    cell: CellPair
    certain: bool
    risk: float | None
    opened: int
    hits: int


class BeliefNumber(BaseModel):
    """What an agent believes about one cell."""

    cell: CellPair
    number: float
    label: str


class BeliefsShown(BaseModel):
    """What an agent believed when it decided: numbers on cells, or sentences."""

    numbers: list[BeliefNumber] = []
    sentences: list[str] = []
    left_out: Annotated[int, Field(description="Sentences that are not shown.")] = 0


class AgentTurn(BaseModel):
    """One decision of an agent: what it did and why, or why it did nothing."""

    agent: str
    game: GameState
    moves: list[AgentMove]
    text: str = Field(description="What it did, in words.")
    reason: str = Field(description="Why, in the agent's own words.")
    beliefs: BeliefsShown
    stuck: bool = Field(description="Whether it has no move.")
    failed: bool = Field(description="Whether it crashed, hung or asked for a forbidden move.")


class AgentKind(BaseModel):
    """An agent that may be asked to move."""

    name: str
    report: str
    summary: str
    options: dict[str, str]
    told_total: bool


class LevelShown(BaseModel):
    """A named size."""

    name: str
    rows: int
    cols: int
    mines: int


class PresetShown(BaseModel):
    """The conditions of a report."""

    name: str
    title: str
    note: str
    game: dict[str, Any] = Field(description="The fields of a new game.")
    agents: list[str]
    levels: list[str] = Field(description="The levels that the report offers.")
    side_by_side: bool


class Offer(BaseModel):
    """What the server offers: levels, presets of the reports, limits."""

    version: str
    levels: list[LevelShown]
    presets: list[PresetShown]
    most_cells: int
    most_side: int


class Position(Asked):
    """A position."""

    position: str = Field(
        description="One line per row: . closed, 0-8 a clue, ? open without a clue, ~ its clue "
        "has not arrived yet, F flag, s known safe, * exploded mine. The first line may be "
        "COLSxROWSxMINES.",
        examples=["8x2x3\n........\n?1221???"],
        max_length=1_000_000,
    )
    mines: int | None = Field(None, description="The number of mines, if the text has no header.")
    channel: str = Field("exact", description="What clues show, as in a game.", max_length=40)
    flags: Literal["ignore", "trust"] = Field("ignore", description="Whether a flag is a mine.")


class AnalysisAsked(Position):
    """A position to analyse, and how much work its chances to win are worth."""

    samples: int = Field(
        200,
        description="How many boards to draw to estimate chances to win; 0 for none.",
        ge=0,
        le=400,
    )


class CellOf(Position):
    """A cell of a position."""

    cell: CellPair


class BestShown(BaseModel):
    """A cell and its risk."""

    cell: CellPair
    risk: float


class Risks(BaseModel):
    """The chance of a mine under every closed cell: the fields of `mineproof solve --json`."""

    rows: int
    cols: int
    topology: TopologyKind
    mines: int | None
    exact: bool
    layouts: str | None = Field(
        description="The number of layouts that fit, in decimal digits; None for an estimate."
    )
    standard_error: list[list[float | None]] | None
    log10_layouts: float | None
    risk: list[list[float | None]]
    safe: list[CellPair]
    mined: list[CellPair]
    trusted: list[CellPair] = Field(description="The flags that all of this rests on.")
    wrong_flags: list[CellPair] = Field(description="Flags on cells that are certainly safe.")
    expected_mines: float
    best: BestShown | None


class GuessShown(BestShown):
    """A cell to guess at, with its chance to win by playing well after it."""

    win: float
    error: float = Field(description="The standard error of win; 0 if it is exact.")
    progress: float = Field(description="The chance that it is safe and makes another cell safe.")
    dead: bool = Field(description="Whether its clue would tell nothing.")
    fifty_fifty: bool = Field(description="Whether it is one of a pair that nothing tells apart.")


class ChanceShown(BaseModel):
    """A chance to win by playing as the champion does."""

    win: float
    error: float = Field(description="Its standard error; 0 if it is exact.")
    text: str


class ChancesShown(BaseModel):
    """The chance to win before the last decision of a game and after it, where they are known."""

    before: ChanceShown | None
    after: ChanceShown | None


class AdviceShown(BaseModel):
    """Whether to guess, and where; also the field advice of `solve --advise --json`."""

    may_guess: bool
    text: list[str]
    safe: list[CellPair]
    candidates: list[BestShown] = Field(description="The cells with the least risk, at most 20.")
    choice: CellPair | None = Field(description="The cell that the champion would guess at.")
    guesses: list[GuessShown] = Field(description="The champion's candidates, best first.")
    dead: list[CellPair]
    fifty_fifties: list[tuple[CellPair, CellPair]]


class StepShown(BaseModel):
    """One step of an argument; depth counts the cases that it is inside of."""

    text: str
    depth: int
    clues: list[CellPair]
    safe: list[CellPair]
    mined: list[CellPair]
    assumed: list[tuple[CellPair, bool]]


class Explanation(BaseModel):
    """Why a cell is certain, or what its risk depends on; also what `explain --json` lists."""

    cell: CellPair
    status: Literal["safe", "mine", "uncertain", "open"]
    risk: float | None
    text: str
    premises: list[CellPair] = Field(description="The clues that settle it or change its risk.")
    uses_total: bool
    trusted: list[CellPair] = Field(description="The flags that it rests on.")
    technique: str | None
    steps: list[StepShown]


class HintShown(BaseModel):
    """A certain move in stages: where to look, at which clues, the cell; else advice."""

    stages: list[str]
    proof: Explanation | None
    advice: AdviceShown | None


class Clash(BaseModel):
    """Clues that no layout fits."""

    text: str
    clues: list[CellPair]
    uses_total: bool
    flags: list[CellPair] = Field(description="The trusted flags that they clash with.")


class Analysis(Risks):
    """Risks, advice and proofs; if no layout fits, only the contradiction."""

    contradiction: None = None
    advice: AdviceShown | None
    proofs: list[Explanation]
    unproved: int = Field(description="How many certain cells have no proof here.")
    text: list[str]


class Contradicted(BaseModel):
    """No layout fits the position."""

    contradiction: Clash


class Notated(BaseModel):
    """A game in mineproof's notation: as text, and as one line for a link."""

    text: str
    line: str


class ReviewAsked(Asked):
    """A game to review."""

    game: str = Field(description="A game in mineproof's notation.", max_length=1_000_000)


class JudgedShown(BaseModel):
    """One opening against the best that could be done instead."""

    move: int
    cell: CellPair
    by: str
    verdict: Literal["first", "certain", "forced", "needless"]
    risk: float
    lowest: float
    best: CellPair
    hit: bool
    needless: float
    before: ChanceShown | None = Field(description="The chance to win before it, by playing well.")
    chosen: ChanceShown | None = Field(description="By this move, before its result is known.")
    after: ChanceShown | None
    cost: float = Field(description="The chance to win that the choice gave away.")
    luck: float = Field(description="What the result added to the chance to win.")
    text: str


class Replayed(BaseModel):
    """A move, and the symbols that it changed, by their places in row order."""

    kind: Kind
    cell: CellPair
    by: str
    changes: list[tuple[int, str]]


class ReviewShown(BaseModel):
    """All openings of a game judged, and the game to step through."""

    rows: int
    cols: int
    mines: int | None
    outcome: Literal["won", "lost", "finished", "stuck"] | None
    start: str
    board: list[CellPair] | None
    moves: list[Replayed]
    judged: list[JudgedShown]
    text: list[str]
    survival: float
    best_survival: float
    expected_hits: float
    hits: int
    by_champion: bool = Field(description="Whether the judge is the chance to win, not the risk.")
    line: str


class JobAsked(Asked):
    """A long analysis: of a position, or of a game."""

    analyse: AnalysisAsked | None = None
    review: ReviewAsked | None = None


class JobShown(BaseModel):
    """How far a job is, and its answer when it is done."""

    id: str
    state: Literal["running", "done", "failed", "cancelled"]
    done: int
    total: int
    result: Analysis | Contradicted | ReviewShown | None
    detail: str | None


class ReportShown(BaseModel):
    """A generated report, and where it is."""

    name: str
    path: str
