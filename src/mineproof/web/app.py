"""The server: the page, and the same as a typed HTTP API."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import quote

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Query, Request, Response
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as StarletteHTTPException

from mineproof import __version__
from mineproof.agents import Action, Decision
from mineproof.arena import narration
from mineproof.game import Move, Transcript
from mineproof.position import Cell, CellCode, Channel, Observation, Topology
from mineproof.proofs.words import capital
from mineproof.random import agent_seed
from mineproof.web import offer
from mineproof.web.analysis import check_topology
from mineproof.web.errors import Refused
from mineproof.web.games import RULE, Games, Session
from mineproof.web.guard import CLIENT, Guard
from mineproof.web.jobs import Job, Jobs
from mineproof.web.models import (
    Act,
    AdviceShown,
    AgentChoice,
    AgentKind,
    AgentMove,
    AgentTurn,
    Analysis,
    AnalysisAsked,
    BeliefsShown,
    CellOf,
    ChanceShown,
    ChancesShown,
    Contradicted,
    Explanation,
    GameState,
    HintShown,
    JobAsked,
    JobShown,
    NewGame,
    Notated,
    Offer,
    Position,
    Problem,
    ReportShown,
    ReviewAsked,
    ReviewShown,
    Risks,
)
from mineproof.web.settings import Settings
from mineproof.web.workers import WorkerFailed, Workers

__all__ = ["make_app"]

T = TypeVar("T")

_PAGE: Final = Path(__file__).with_name("page")
_DESCRIPTION: Final = """\
Play Minesweeper, let agents move, and ask for risks, proofs and hints.

Cells are pairs of row and column, from 0. Errors are `{"detail": SENTENCE}`. Neither the board nor
its seed leaves the server before a game ends.
"""
_PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    403: {"model": Problem, "description": "Unknown host name, or a foreign origin"},
    404: {"model": Problem, "description": "Not found"},
    409: {"model": Problem, "description": "Not possible in the present state of the game"},
    410: {"model": Problem, "description": "The game is gone"},
    413: {"model": Problem, "description": "The request is too large"},
    422: {"model": Problem, "description": "Bad input"},
    429: {"model": Problem, "description": "Too many requests are waiting"},
}

_PIECE: Final = 2**16
"""The bytes of an answer that are sent at once."""

JobId = Annotated[str, InPath(max_length=40, description="The id of a job.")]


def make_app(settings: Settings | None = None) -> FastAPI:
    """Return the server as an ASGI application; `ValueError` if its games cannot be kept."""
    settings = settings or Settings()
    games = Games(settings.games, most=settings.most_games, most_live=settings.most_live)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        workers = Workers(settings.workers, most_waiting=settings.most_waiting)
        app.state.server = server = _Server(settings, games, workers)
        await workers.start()
        try:
            yield
        finally:
            await server.jobs.close()
            await workers.close()
            games.close()

    app = FastAPI(
        title="mineproof",
        version=__version__,
        description=_DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.include_router(_API)
    if settings.reports is not None:
        app.mount("/reports", StaticFiles(directory=settings.reports, html=True))
    app.mount("/", StaticFiles(directory=_PAGE, html=True))
    app.add_middleware(Guard, hosts=settings.hosts, most_bytes=settings.most_bytes)
    app.exception_handler(Exception)(_broken)
    app.exception_handler(Refused)(_refused)
    app.exception_handler(StarletteHTTPException)(_not_found)
    app.exception_handler(RequestValidationError)(_bad_input)
    return app


async def _refused(request: Request, error: Refused) -> Response:
    return JSONResponse({"detail": str(error)}, error.status)


async def _broken(request: Request, error: Exception) -> Response:
    return JSONResponse({"detail": "Something went wrong in the server."}, 500)


async def _not_found(request: Request, error: HTTPException) -> Response:
    sentence = {404: "There is nothing here.", 405: "The method is not allowed here."}
    detail = sentence.get(error.status_code, str(error.detail))
    return JSONResponse({"detail": detail}, error.status_code, headers=error.headers)


async def _bad_input(request: Request, error: RequestValidationError) -> Response:
    """Name the first field that is wrong, and what it must be."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:]) or "request"
    message = str(first["msg"]).removeprefix("Value error, ")
    return JSONResponse({"detail": f"{place}: {message[:1].lower()}{message[1:]}."}, 422)


class _Server:
    """What the requests share."""

    def __init__(self, settings: Settings, games: Games, workers: Workers) -> None:
        self.settings = settings
        self.games = games
        self.workers = workers
        self.jobs = Jobs(workers, settings.job_seconds)
        self._agents: list[AgentKind] | None = None

    async def ask(self, task: str, *arguments: Any, subject: str = "The analysis") -> bytes:
        """Let a worker answer, and refuse the request if it does not; the answer is JSON."""
        seconds = self.settings.analysis_seconds
        try:
            return await self.workers.ask(task, *arguments, seconds=seconds)
        except WorkerFailed as error:
            raise Refused(422, f"{subject} {error}.") from None

    async def chances(self, session: Session) -> ChancesShown:
        """Return the chance to win before the last decision and now."""
        if session.start.rules.on_mine != "end":
            raise Refused(409, "The game goes on after a mine: there is nothing to win.")
        games = [session.before_last_step() if session.moves else session.game, session.game]
        asked = [game for game in games if game.is_laid and game.outcome is None]
        answer = await self.ask("chances", [game.observe() for game in asked])
        found = dict(zip(map(id, asked), json.loads(answer), strict=True))
        before, after = (found.get(id(game)) for game in games)
        if session.game.outcome is not None:
            after = {"win": session.game.won, "error": 0, "text": f"{session.game.won:.0%}"}
        return ChancesShown(
            before=before and ChanceShown.model_validate(before),
            after=after and ChanceShown.model_validate(after),
        )

    async def agents(self) -> list[AgentKind]:
        """Return all agents; a worker loads those of other packages."""
        if self._agents is None:
            answer = await self.ask("agents", self.settings.agents, subject="The list of agents")
            self._agents = [AgentKind.model_validate(kind) for kind in json.loads(answer)]
        return self._agents

    async def turn(self, session: Session, agent: str) -> AgentTurn:
        """Let an agent make one decision in a game."""
        if session.game.outcome is not None:
            raise Refused(409, "The game is over.")
        if session.thinking:
            raise Refused(409, "An agent is already thinking about this game.")
        # A worker would load any file or module that a name refers to.
        if not any(f"{agent}:".startswith(f"{kind.name}:") for kind in await self.agents()):
            raise Refused(422, f"There is no agent {agent[:60]!r}: GET /api/agents lists them.")
        if not session.game.is_laid:
            return await self._first_cell(session, agent)
        version, seen = session.version, session.game.observe()
        session.thinking = True
        try:
            answer = await self._decision(session, agent, seen)
        except WorkerFailed as error:
            return _turn(session, agent, f"{agent} {error}.", failed=True)
        finally:
            session.thinking = False
        if session.version != version:
            raise Refused(409, f"The game changed while {agent} was thinking.")
        beliefs = BeliefsShown.model_validate(answer.get("beliefs", {}))
        if "failed" in answer:
            return _turn(session, agent, f"{answer['failed']}.", failed=True)
        if not answer["actions"] and (pending := seen.pending_cells()):
            # Recorded as the agent's, so that its memory can be rebuilt by replay.
            self.games.act(session, "wait", pending[0], by=agent)
            text = f"{agent} has no move, so all pending clues arrive."
            return _turn(session, agent, text, moves=session.moves[-1:], beliefs=beliefs)
        if not answer["actions"]:
            text = f"{agent} is stuck: it has no move."
            return _turn(session, agent, text, beliefs=beliefs, stuck=True)
        try:
            actions = [
                Action(**{**action, "cell": tuple(action["cell"])}) for action in answer["actions"]
            ]
            decision = Decision(tuple(actions), answer["reason"])
            moves = self.games.decide(session, decision, seen, agent)
        except (ValueError, TypeError) as error:
            text = f"{agent} tried a forbidden move: {error}."
            return _turn(session, agent, text, failed=True)
        return _moved(session, agent, moves, answer["reason"], beliefs)

    async def lay(self, session: Session, first: Cell) -> None:
        """Lay the mines of a game without guesses around its first cell; a worker finds them."""
        if not session.no_guess or session.game.is_laid:
            return
        if session.thinking:
            raise Refused(409, "The mines of this game are being laid.")
        session.thinking = True
        try:
            text = session.start.to_text()
            answer = await self.ask("no_guess", text, first, subject="The search for a board")
        finally:
            session.thinking = False
        self.games.lay(session, Transcript.from_text(json.loads(answer)))

    async def _first_cell(self, session: Session, agent: str) -> AgentTurn:
        """Open the first cell by rule, as in every game that an agent plays."""
        cell = session.game.setup.first_cell()
        assert cell is not None
        await self.lay(session, cell)
        flagged = session.game.code(cell) == CellCode.FLAGGED
        decision = Decision(
            (*[Action("unflag", cell)] * flagged, Action("open", cell, certain=True)),
            "It is the first cell by rule.",
        )
        moves = self.games.decide(session, decision, None, RULE)
        return _moved(session, agent, moves, decision.reason, BeliefsShown())

    async def _decision(self, session: Session, agent: str, seen: Observation) -> dict[str, Any]:
        before = None
        made = sum(move.by == agent and not move.together for move in session.moves)
        while True:
            answer: dict[str, Any] = json.loads(
                await self.workers.ask(
                    "decide",
                    session.id,
                    agent,
                    agent_seed(session.game.seed),
                    session.taken_back,
                    made,
                    seen,
                    before,
                    seconds=self.settings.agent_seconds,
                    key=f"{session.id} {agent}",
                )
            )
            if "forgotten" not in answer:
                return answer
            before = session.seen_by(agent)


def _moved(
    session: Session,
    agent: str,
    moves: Sequence[Move],
    reason: str,
    beliefs: BeliefsShown,
) -> AgentTurn:
    text = f"{capital('; '.join(narration.actions(moves)))}."
    return _turn(session, agent, text, moves=moves, reason=capital(reason), beliefs=beliefs)


def _turn(
    session: Session,
    agent: str,
    text: str,
    *,
    moves: Sequence[Move] = (),
    reason: str = "",
    beliefs: BeliefsShown | None = None,
    stuck: bool = False,
    failed: bool = False,
) -> AgentTurn:
    return AgentTurn(
        agent=agent,
        game=session.state(),
        moves=[AgentMove.model_validate(move, from_attributes=True) for move in moves],
        text=text,
        reason=reason,
        beliefs=beliefs or BeliefsShown(),
        stuck=stuck,
        failed=failed,
    )


async def _while_connected(request: Request, work: Awaitable[T]) -> T:
    """Do some work, and stop it if nobody waits for the answer any more."""

    async def disconnected() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    doing, gone = asyncio.ensure_future(work), asyncio.ensure_future(disconnected())
    try:
        await asyncio.wait({doing, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise Refused(409, "The client is gone.")
        return doing.result()
    finally:
        for task in (doing, gone):
            task.cancel()
        await asyncio.gather(doing, gone, return_exceptions=True)


_API: Final = APIRouter(prefix="/api", responses=_PROBLEMS)


async def _server(request: Request) -> _Server:
    server: _Server = request.app.state.server
    return server


Server = Annotated[_Server, Depends(_server)]


async def _session(
    server: Server, game: Annotated[str, InPath(max_length=40, description="The id of a game.")]
) -> Session:
    return server.games.get(game)


Played = Annotated[Session, Depends(_session)]


async def _answer(request: Request, server: _Server, task: str, *arguments: Any) -> Response:
    """Let a worker answer a question about a position, and pass its answer on."""
    answer = await _while_connected(request, server.ask(task, *arguments))
    return _json(answer)


def _json(*parts: bytes, status: int = 200) -> Response:
    """Answer with JSON that has been written elsewhere.

    A large answer is sent in pieces, so that nobody waits for all of it.
    """
    size = sum(map(len, parts))
    if size <= _PIECE:
        return Response(b"".join(parts), status, media_type="application/json")

    async def pieces() -> AsyncIterator[memoryview]:
        for part in parts:
            for at in range(0, len(part), _PIECE):
                yield memoryview(part)[at : at + _PIECE]
                await asyncio.sleep(0)

    length = {"Content-Length": str(size)}
    return StreamingResponse(pieces(), status, length, media_type="application/json")


async def _answer_in_game(
    request: Request, server: _Server, session: Session, task: str, *arguments: Any
) -> Response:
    if session.game.outcome is not None:
        raise Refused(409, "The game is over.")
    if not session.game.is_laid:
        raise Refused(409, "Open a first cell: the mines are laid around it.")
    return await _answer(request, server, task, session.game.observe(), *arguments)


@_API.get("/offer", tags=["games"])
async def get_offer(server: Server) -> Offer:
    """List levels, presets of the reports, and limits."""
    return Offer(
        version=__version__,
        levels=offer.levels(),
        presets=offer.presets(),
        most_cells=server.settings.most_cells,
        most_side=server.settings.most_side,
    )


@_API.get("/agents", tags=["agents"])
async def get_agents(server: Server) -> list[AgentKind]:
    """List the agents that may be asked to move, with their options."""
    return await server.agents()


@_API.post("/games", status_code=201, tags=["games"])
async def new_game(request: Request, server: Server, asked: NewGame) -> GameState:
    """Start a game. Its mines are laid around the first cell that is opened."""
    no_guess = asked.no_guess
    if asked.like is None and asked.notation is None:
        start = offer.begin(asked, server.settings)
    elif len(asked.model_fields_set) > 1:
        raise Refused(422, "like and notation: they determine all conditions of the new game.")
    elif asked.like is not None:
        other = server.games.get(asked.like)
        if other.game.outcome is None:
            raise Refused(409, "The game is not over: its board can be played again after its end.")
        start, no_guess = other.start, other.no_guess
    else:
        reading = server.ask("beginning", asked.notation, subject="Reading the notation")
        answer = await _while_connected(request, reading)
        start = Transcript.from_text(json.loads(answer))
        offer.check_size(*start.topology.shape, server.settings)
    return server.games.new(start, no_guess=no_guess, client=CLIENT.get()).state()


@_API.get("/games/{game}", tags=["games"])
async def get_game(session: Played) -> GameState:
    """Return what a player may know about a game."""
    return session.state()


@_API.post("/games/{game}/act", tags=["games"])
async def act(request: Request, server: Server, session: Played, move: Act) -> GameState:
    """Open, flag, unflag or chord a cell, or wait for its clue."""
    _check_cell(session.start.topology, move.cell)
    if move.kind == "open" and session.game.code(move.cell) != CellCode.FLAGGED:
        await _while_connected(request, server.lay(session, move.cell))
    server.games.act(session, move.kind, move.cell)
    return session.state()


@_API.post("/games/{game}/undo", tags=["games"])
async def undo(server: Server, session: Played) -> GameState:
    """Take back the last decision, even one that lost the game."""
    server.games.undo(session)
    return session.state()


@_API.post("/games/{game}/reset", tags=["games"])
async def reset(server: Server, session: Played) -> GameState:
    """Take back all decisions: the same game from its beginning."""
    server.games.reset(session)
    return session.state()


@_API.post("/games/{game}/step", tags=["agents"])
async def step(request: Request, server: Server, session: Played, choice: AgentChoice) -> AgentTurn:
    """Let an agent make one decision, which may be several moves."""
    return await _while_connected(request, server.turn(session, choice.agent))


@_API.get("/games/{game}/notation", tags=["games"], response_model=Notated)
async def get_notation(request: Request, server: Server, session: Played) -> Response:
    """Return the game in mineproof's notation; before its end without the board and the seed."""
    return await _answer(request, server, "notation", session.start, session.moves)


@_API.get("/games/{game}/risks", tags=["analysis"], response_model=Risks)
async def get_risks(request: Request, server: Server, session: Played) -> Response:
    """Return the chance of a mine under every closed cell."""
    return await _answer_in_game(request, server, session, "risks")


@_API.get("/games/{game}/advice", tags=["analysis"], response_model=AdviceShown)
async def get_advice(
    request: Request,
    server: Server,
    session: Played,
    samples: Annotated[int, Query(ge=0, le=400, description="Boards to draw; 0 for none.")] = 200,
) -> Response:
    """Say whether a guess is needed, and where, with chances to win; dead cells and 50/50s."""
    return await _answer_in_game(request, server, session, "advice", "ignore", samples)


@_API.get("/games/{game}/chances", tags=["analysis"])
async def get_chances(request: Request, server: Server, session: Played) -> ChancesShown:
    """Return the chance to win before the last decision and after it, exact or estimated."""
    return await _while_connected(request, server.chances(session))


@_API.get("/games/{game}/hint", tags=["analysis"], response_model=HintShown)
async def get_hint(request: Request, server: Server, session: Played) -> Response:
    """Return a certain move in stages, safe cells before mines; or advice if there is none."""
    return await _answer_in_game(request, server, session, "hint")


@_API.get("/games/{game}/why", tags=["analysis"], response_model=Explanation)
async def get_why(
    request: Request, server: Server, session: Played, row: int, col: int
) -> Response:
    """Explain one cell."""
    _check_cell(session.start.topology, (row, col))
    return await _answer_in_game(request, server, session, "why", (row, col))


@_API.post("/analyse", tags=["analysis"], response_model=Analysis | Contradicted)
async def analyse(request: Request, server: Server, asked: AnalysisAsked) -> Response:
    """Return the risks of a position, advice and proofs, or the clues that clash."""
    seen = _read(asked, server.settings)
    return await _answer(request, server, "analyse", seen, asked.flags, asked.samples)


@_API.post("/why", tags=["analysis"], response_model=Explanation)
async def why(request: Request, server: Server, asked: CellOf) -> Response:
    """Explain one cell of a position."""
    seen = _read(asked, server.settings)
    _check_cell(seen.topology, asked.cell)
    return await _answer(request, server, "why", seen, asked.cell, asked.flags)


@_API.post("/review", tags=["analysis"], response_model=ReviewShown)
async def review(request: Request, server: Server, asked: ReviewAsked) -> Response:
    """Judge the decisions of a game, and return what changed with every move."""
    return await _answer(request, server, "review", asked.game)


@_API.post("/jobs", status_code=202, tags=["jobs"], response_model=JobShown)
async def start_job(server: Server, asked: JobAsked) -> Response:
    """Start a long analysis or review; ask for its progress and its result later.

    It is cancelled if nobody asks for 75 seconds. A result is kept for ten minutes at most.
    """
    if (asked.analyse is None) == (asked.review is None):
        raise Refused(422, "A job needs either analyse or review.")
    if asked.analyse is not None:
        seen = _read(asked.analyse, server.settings)
        job = server.jobs.start("analyse", seen, asked.analyse.flags, asked.analyse.samples)
    else:
        assert asked.review is not None
        job = server.jobs.start("review", asked.review.game)
    return _job(job, status=202)


@_API.get("/jobs/{job}", tags=["jobs"], response_model=JobShown)
async def get_job(server: Server, job: JobId) -> Response:
    """Return how far a job is, and its result when it is done."""
    return _job(server.jobs.get(job))


@_API.delete("/jobs/{job}", tags=["jobs"], response_model=JobShown)
async def cancel_job(server: Server, job: JobId) -> Response:
    """Cancel a job."""
    return _job(await server.jobs.cancel(job))


def _job(job: Job, status: int = 200) -> Response:
    told = {"id": job.id, "state": job.state, "done": job.done, "total": job.total}
    head = json.dumps({**told, "detail": job.detail}).encode()
    return _json(head[:-1], b',"result":', job.result or b"null", b"}", status=status)


@_API.get("/reports", tags=["reports"])
async def get_reports(server: Server) -> list[ReportShown]:
    """List the generated reports that the server shows."""
    folder = server.settings.reports
    if folder is None:
        return []
    pages = sorted(folder.rglob("*.html"))[:1000]
    names = [page.relative_to(folder).as_posix() for page in pages]
    return [ReportShown(name=name, path=f"/reports/{quote(name)}") for name in names]


def _read(asked: Position, settings: Settings) -> Observation:
    try:
        channel = Channel.parse(asked.channel)
        seen = Observation.from_text(asked.position, mines=asked.mines, channel=channel)
        check_topology(seen.topology)
    except ValueError as error:
        raise Refused(422, f"{error}.") from None
    if seen.cells.size > settings.most_cells:
        raise Refused(422, f"position: at most {settings.most_cells:,} cells.")
    return seen


def _check_cell(topology: Topology, cell: Cell) -> None:
    rows, cols = topology.shape
    if not (0 <= cell[0] < rows and 0 <= cell[1] < cols):
        raise Refused(422, f"cell {cell}: the board has {rows} rows and {cols} columns.")
