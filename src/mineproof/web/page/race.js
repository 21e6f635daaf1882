// Two agents on the same board, step by step.

import { Board } from "./board.js";
import { Chooser, Player, beliefMarks, tell } from "./agents.js";
import { el } from "./dom.js";
import { Game } from "./game.js";
import { Setup } from "./setup.js";

class Lane {
  constructor(number, agent) {
    this.game = new Game();
    this.chooser = new Chooser(`Agent ${number}`, agent);
    this.root = el("div", { class: "board", id: `board-${number}` });
    this.status = el("span", { role: "status" });
    this.message = el("div", { class: "message" }, this.status);
    this.told = el("div", { class: "said" });
    this.stage = el("div", { class: "stage" },
      el("div", { class: "lane-head" }, this.chooser.root),
      el("div", { class: "frame" }, this.root, this.message), this.told);
  }

  /** Boards need their place in the document first. */
  mount() {
    this.board = new Board(this.root, { label: "Board of an agent", most: 40 });
    this.board.addEventListener("press", () => {});
    this.chooser.addEventListener("change", () => { this.stopped = false; });
  }

  show(turn) {
    const { state } = this.game;
    this.turn = turn;
    this.board.show(state.rows, state.cols, this.game.symbols, state.moves);
    const marks = this.game.over ? new Map() : beliefMarks(state, turn?.beliefs);
    for (const { cell } of turn?.moves ?? []) {
      const at = this.game.place(cell);
      marks.set(at, { ...marks.get(at), last: true });
    }
    this.board.mark(marks);
    const left = state.rows * state.cols - state.mines - state.opened;
    const score = state.score === null ? "" : `, ${Math.round(state.score * 100)}% of the mines found`;
    this.message.className = `message${state.outcome ? (state.won ? " good" : " bad") : ""}`;
    this.status.textContent = state.outcome
      ? `${state.outcome[0].toUpperCase()}${state.outcome.slice(1)} after ${state.steps} steps${score}, ${state.hits} hit.`
      : `Step ${state.steps}: ${left} safe cells are closed, ${state.hits} hit.`;
    this.told.replaceChildren(...(turn ? tell(turn, (cell) => this.board.point(cell)) : []));
  }

  async step() {
    if (this.stopped || this.game.over) return false;
    await this.chooser.ready;
    const turn = await this.game.step(this.chooser.name);
    this.stopped = turn.stuck || turn.failed;
    this.show(turn);
    return !this.stopped && !this.game.over;
  }
}

export class Race {
  constructor(view, offer) {
    this.lanes = [new Lane(1, "basic"), new Lane(2, "champion")];
    this.player = new Player(() => this.step(), "Step");
    const form = el("div", { class: "panel" });
    this.problem = el("p", { class: "problem", role: "alert", hidden: true });
    view.append(
      el("aside", { class: "side both", "aria-label": "Both agents" },
        el("div", { class: "panel" }, el("h2", {}, "Both agents"), this.player.root, this.problem)),
      el("div", { class: "lanes" }, ...this.lanes.map((lane) => lane.stage)),
      el("aside", { class: "side form", "aria-label": "New game for both" }, form));
    this.setup = new Setup(form, offer);
    this.setup.addEventListener("start", ({ detail }) => this.start(detail));
    this.setup.addEventListener("reset", () => this.try(async () => {
      for (const lane of this.lanes) { await lane.game.reset(); lane.stopped = false; lane.show(null); }
    }));
    this.setup.addEventListener("preset", ({ detail }) => { if (detail) this.use(detail); });
    for (const lane of this.lanes) lane.mount();
  }

  use(preset) {
    const [one, other = one] = preset.agents;
    this.lanes[0].chooser.choose(one);
    this.lanes[1].chooser.choose(other);
  }

  /** Take over a preset that was chosen elsewhere, and begin. */
  async begin(preset) {
    if (preset) {
      this.setup.presets.value = preset.name;
      this.setup.choosePreset();
    } else if (this.lanes[0].game.state) return;
    await this.start(this.setup.conditions);
  }

  async try(work) {
    this.problem.hidden = true;
    try {
      return await work();
    } catch (problem) {
      this.problem.hidden = false;
      this.problem.textContent = problem.message;
      return false;
    }
  }

  start(conditions) {
    this.player.pause();
    return this.try(async () => {
      const [one, other] = this.lanes;
      const board = { seed: Math.floor(Math.random() * 2 ** 53), ...conditions };
      await one.game.start(board);
      await other.game.start(board);
      for (const lane of this.lanes) { lane.stopped = false; lane.show(null); }
    });
  }

  step() {
    return this.try(async () => (await Promise.all(this.lanes.map((lane) => lane.step()))).some(Boolean));
  }
}
