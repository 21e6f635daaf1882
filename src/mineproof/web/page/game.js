// A game on the server, as the page sees it. Requests go one after another.

import { get, post } from "./api.js";

export class Game extends EventTarget {
  state = null;
  turn = null;
  queue = Promise.resolve();

  /** Ask the server, one request after another, and take in the state that it answers. */
  ask(work) {
    const next = this.queue.then(work).then((answer) => {
      this.take(answer);
      return answer;
    });
    this.queue = next.catch(() => {});
    return next;
  }

  take(answer) {
    const state = answer.game ?? answer;
    const fresh = this.state?.id !== state.id;
    this.state = state;
    this.received = performance.now();
    this.dispatchEvent(new CustomEvent("change", { detail: { fresh } }));
  }

  start(conditions) {
    return this.ask(() => post("games", conditions));
  }

  load(id) {
    return this.ask(() => get(`games/${id}`));
  }

  act(kind, cell) {
    if (kind === "flag" || kind === "unflag") this.expect(cell, kind === "flag" ? "F" : ".");
    return this.ask(() => post(`games/${this.state.id}/act`, { kind, cell })).catch((problem) => {
      // What was drawn before the answer was wrong.
      if (problem.status) this.load(this.state.id).catch(() => {});
      throw problem;
    });
  }

  /** Show a flag before the server has answered. */
  expect([row, col], symbol) {
    const at = row * this.state.cols + col;
    const cells = this.state.cells;
    this.state = {
      ...this.state,
      cells: cells.slice(0, at) + symbol + cells.slice(at + 1),
      mines_left: this.state.mines_left + (symbol === "F" ? -1 : 1),
    };
    this.dispatchEvent(new CustomEvent("change", { detail: { fresh: false } }));
  }

  undo() {
    return this.ask(() => post(`games/${this.state.id}/undo`));
  }

  reset() {
    return this.ask(() => post(`games/${this.state.id}/reset`));
  }

  step(agent) {
    return this.ask(() => post(`games/${this.state.id}/step`, { agent }));
  }

  get over() {
    return this.state?.outcome != null;
  }

  get seconds() {
    const { state } = this;
    const running = state.opened + state.hits > 0 && !this.over;
    return state.seconds + (running ? (performance.now() - this.received) / 1000 : 0);
  }

  /** One symbol per cell, with the mines once the game is over. */
  get symbols() {
    const { state } = this;
    if (!state.board) return state.cells;
    const shown = [...state.cells];
    const mines = new Set(state.board.map(([row, col]) => row * state.cols + col));
    for (const place of mines) {
      if (shown[place] === "." || shown[place] === "s") shown[place] = state.won ? "F" : "m";
    }
    for (const [place, symbol] of shown.entries()) {
      if (symbol === "F" && !mines.has(place)) shown[place] = "X";
    }
    return shown.join("");
  }

  place([row, col]) {
    return row * this.state.cols + col;
  }
}
