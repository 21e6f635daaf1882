// The view in which a person and agents play.

import { get } from "./api.js";
import { Board, isClosed, isClue } from "./board.js";
import { $, el, tabs } from "./dom.js";
import { Game } from "./game.js";
import { Chooser, Player, beliefMarks, tell } from "./agents.js";
import { Help } from "./help.js";
import { KEPT, Setup, levelOf } from "./setup.js";
import { copyButton, gameLink, positionLink } from "./share.js";
import { Statistics } from "./statistics.js";

export class Play {
  constructor(offer, { onPreset }) {
    this.game = new Game();
    this.board = new Board($("board"), { label: "Minesweeper board" });
    this.setup = new Setup($("panel-game"), offer);
    this.statistics = new Statistics(KEPT);
    $("panel-game").append(el("h2", {}, "This game"), this.sharing(), this.statistics.root);
    this.openTab = tabs(document.querySelector("#view-play .tabs"));
    this.layers = { risks: new Map(), beliefs: new Map() };
    this.help = new Help($("panel-help"), this);
    this.flagging = this.asking = this.showingRisks = false;
    this.setup.addEventListener("start", ({ detail }) => this.start(detail));
    this.setup.addEventListener("reset", () => this.try(() => this.game.reset()));
    this.setup.addEventListener("preset", ({ detail }) => {
      if (!detail) return;
      this.chooser.choose(detail.agents[0]);
      onPreset(detail);
    });
    this.game.addEventListener("change", ({ detail }) => this.show(detail.fresh));
    this.board.addEventListener("press", ({ detail }) => this.press(detail));
    this.board.addEventListener("key", ({ detail }) => this.key(detail));
    this.board.addEventListener("hold", ({ detail }) => {
      if (!this.game.over) this.face(detail ? "press" : "play");
    });
    this.agentPanel($("panel-agent"));
    $("face").addEventListener("click", () => this.start(this.setup.conditions));
    $("undo").addEventListener("click", () => this.undo());
    $("smaller").addEventListener("click", () => this.board.resize(1 / 1.25));
    $("larger").addEventListener("click", () => this.board.resize(1.25));
    $("flag-mode").addEventListener("click", () => {
      this.flagging = !this.flagging;
      $("flag-mode").setAttribute("aria-pressed", String(this.flagging));
    });
    $("hint").addEventListener("click", () => this.help.hint());
    $("why").addEventListener("click", () => this.setAsking(!this.asking));
    $("risks").addEventListener("click", () => this.setRisks(!this.showingRisks));
    addEventListener("keydown", (event) => { if (event.key === "Escape") this.setAsking(false); });
    document.addEventListener("themechange", () => { this.refreshRisks(); this.showBeliefs(); });
    setInterval(() => this.tick(), 250);
  }

  /** Go on with the last game, or start one. */
  async begin() {
    const last = remembered();
    try {
      if (!last) throw new Error("no game yet");
      await this.game.load(last);
      this.setup.reflect(this.game.state);
    } catch {
      await this.start(this.setup.conditions);
    }
  }

  async start(conditions) {
    this.player.pause();
    await this.try(() => this.game.start(conditions));
  }

  undo() {
    this.player.pause();
    return this.try(() => this.game.undo());
  }

  /** Do something, and show in one sentence why it did not work. */
  async try(work) {
    try {
      this.problem = null;
      return await work();
    } catch (problem) {
      if (problem.name === "AbortError") return null;
      this.problem = problem.message;
      this.say();
      return null;
    }
  }

  // -------------------------------------------------------------------------------------- moves

  press({ cell, kind }) {
    if (this.asking && kind === "main") {
      this.help.why(cell);
      return;
    }
    if (kind === "chord") this.chord(cell);
    else if (kind === "second" || this.flagging) this.flag(cell);
    else this.open(cell);
  }

  key({ cell, key }) {
    if (key === " " || key === "enter") {
      if (this.asking) this.help.why(cell);
      else if (isClue(this.board.symbol(cell))) this.chord(cell);
      else this.open(cell);
    } else if (key === "f") this.flag(cell);
    else if (key === "u") this.undo();
    else if (key === "n") this.start(this.setup.conditions);
    else if (key === "h") this.help.hint();
    else if (key === "w") this.help.why(cell);
    else if (key === "r") this.setRisks(!this.showingRisks);
  }

  setAsking(on) {
    this.asking = on;
    $("why").setAttribute("aria-pressed", String(on));
    $("board").classList.toggle("asking", on);
  }

  setRisks(on) {
    this.showingRisks = on;
    $("risks").setAttribute("aria-pressed", String(on));
    this.help.legend.hidden = !on;
    this.refreshRisks();
  }

  async refreshRisks() {
    const wanted = this.showingRisks && this.game.state && !this.game.over;
    const marks = wanted ? await this.help.risks() : new Map();
    if (marks === null && wanted) return;
    this.layers.risks = marks;
    this.mark();
  }

  open(cell) {
    const kind = { ".": "open", s: "open", "~": "wait" }[this.board.symbol(cell)];
    if (this.game.over || !kind) return;
    this.try(() => this.game.act(kind, cell));
  }

  flag(cell) {
    const symbol = this.board.symbol(cell);
    if (this.game.over || !isClosed(symbol)) return;
    this.try(() => this.game.act(symbol === "F" ? "unflag" : "flag", cell));
  }

  chord(cell) {
    if (this.game.over || !isClue(this.board.symbol(cell)) || this.board.symbol(cell) === "0") return;
    this.try(() => this.game.act("chord", cell));
  }

  // ------------------------------------------------------------------------------------ showing

  show(fresh) {
    const { state } = this.game;
    if (fresh) {
      remember(state.id);
      this.turn = null;
      this.layers = { risks: new Map(), beliefs: new Map() };
      this.told.replaceChildren(...tell(null));
    }
    this.board.show(state.rows, state.cols, this.game.symbols, state.moves);
    if (fresh || this.shown !== `${state.moves} ${state.taken_back}`) {
      // What was said about the position before the move no longer holds.
      this.shown = `${state.moves} ${state.taken_back}`;
      this.help.clear();
      this.layers.risks = new Map();
      this.layers.beliefs = new Map();
      this.refreshRisks();
    }
    // A win sets all flags.
    const left = this.game.over && state.won ? 0 : state.mines_left;
    $("mines-left").textContent = left;
    $("mines-left").setAttribute("aria-label", `${left} mines left`);
    $("undo").disabled = !state.moves;
    this.face(!this.game.over ? "play" : state.won ? "won" : "lost");
    this.player.one.disabled = this.player.auto.disabled = this.game.over;
    this.count(state);
    this.tick();
    this.say();
    this.mark();
  }

  /** Count a game that has ended. */
  count(state) {
    this.record = false;
    const level = this.game.over ? levelOf(state, this.setup.offer.levels) : null;
    if (level) this.record = this.statistics.count(level, state);
  }

  face(name) {
    $("face-use").setAttribute("href", `#face-${name}`);
  }

  tick() {
    if (!this.game.state) return;
    const seconds = Math.floor(this.game.seconds);
    if ($("timer").textContent === String(seconds)) return;
    $("timer").textContent = seconds;
    $("timer").setAttribute("aria-label", `${seconds} seconds`);
  }

  say() {
    const { state } = this.game;
    const box = $("message");
    box.className = "message";
    if (this.game.over) box.classList.add(state.won ? "good" : "bad");
    $("status").textContent = this.problem ?? (state ? sentence(state, this.record) : "");
    $("status").classList.toggle("problem", Boolean(this.problem));
    $("ending").hidden = !this.game.over;
    if (this.game.over) $("ending").replaceChildren(...this.endings());
  }

  endings() {
    return [
      el("button", { type: "button", onclick: () => this.start(this.setup.conditions) }, "New game"),
      el("button", { type: "button", class: "primary", onclick: async () => { location.hash = await this.link(); } }, "Review"),
    ];
  }

  /** A link to the game, with its board only if it is over. */
  async link() {
    return gameLink((await get(`games/${this.game.state.id}/notation`)).line);
  }

  /** A link to the position of the moment. */
  position() {
    const { rows, cols, mines, cells, channel } = this.game.state;
    const lines = Array.from({ length: rows }, (_, row) => cells.slice(row * cols, (row + 1) * cols));
    return positionLink([`${cols}x${rows}x${mines}`, ...lines].join("\n"), channel);
  }

  sharing() {
    return el("div", { class: "row" },
      copyButton("Copy link", () => this.link()),
      el("button", { type: "button", onclick: () => { location.hash = this.position(); } }, "Analyse"));
  }

  mark() {
    const { state } = this.game;
    const marks = new Map();
    const lay = (place, mark) => marks.set(place, { ...marks.get(place), ...mark });
    if (!this.game.over) {
      for (const layer of [this.layers.risks, this.layers.beliefs, this.help.marks]) {
        for (const [place, mark] of layer) lay(place, mark);
      }
    }
    if (this.turn && state.steps === this.turn.game.steps) {
      for (const { cell } of this.turn.moves) lay(this.game.place(cell), { last: true });
    }
    this.board.mark(marks);
  }

  // -------------------------------------------------------------------------------------- agent

  agentPanel(panel) {
    this.chooser = new Chooser("Agent", "champion");
    this.player = new Player(() => this.agentStep());
    this.told = el("div", { class: "said", "aria-live": "polite" }, ...tell(null));
    this.believing = el("input", { type: "checkbox", checked: true, onchange: () => this.showBeliefs() });
    panel.append(this.chooser.root, this.player.root,
      el("label", { class: "check" }, this.believing, "Show its numbers on the board"), this.told);
  }

  async agentStep() {
    await this.chooser.ready;
    const turn = await this.try(() => this.game.step(this.chooser.name));
    if (!turn) return false;
    this.turn = turn;
    this.showTurn();
    this.showBeliefs();
    const goesOn = !turn.stuck && !turn.failed && !this.game.over;
    if (!goesOn || !this.player.running) this.showChances(turn);
    return goesOn;
  }

  showTurn() {
    this.told.replaceChildren(...tell(this.turn, (cell) => this.board.point(cell)));
  }

  /** Add the chances to win before and after a decision; they take a moment. */
  async showChances(turn) {
    const { rules, id } = this.game.state;
    if (rules.on_mine !== "end" || !turn.moves.length) return;
    const chances = await get(`games/${id}/chances`).catch(() => null);
    if (this.turn !== turn || !chances?.after) return;
    turn.chances = chances;
    this.showTurn();
  }

  showBeliefs() {
    if (!this.game.state) return;
    const shown = this.believing.checked && this.turn;
    this.layers.beliefs = shown ? beliefMarks(this.game.state, this.turn.beliefs) : new Map();
    this.mark();
  }
}

function sentence(state, record) {
  const time = `${state.seconds.toFixed(1)} seconds`;
  if (state.outcome === "won") return record ? `You won in ${time}, your best so far.` : `You won in ${time}.`;
  if (state.outcome === "lost") return "That was a mine: the game is lost.";
  if (state.outcome === "finished") {
    const share = `${Math.round(state.score * 100)}% of the mines found`;
    return state.won ? `Finished without a hit in ${time}.` : `Finished: ${share}, ${state.hits} hit.`;
  }
  if (!state.moves) {
    return state.rules.start === "any" ? "Click any cell to begin: it may be a mine." : "Click any cell to begin.";
  }
  const left = state.rows * state.cols - state.mines - state.opened;
  return `${left} safe ${left === 1 ? "cell is" : "cells are"} still closed.`;
}

function remember(id) {
  try { localStorage.setItem("game", id); } catch { /* storage may be forbidden */ }
}

function remembered() {
  try { return localStorage.getItem("game"); } catch { return null; }
}
