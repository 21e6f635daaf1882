// The panel of an agent: which one, its moves, and what it believes.

import { get } from "./api.js";
import { el, icon, linked } from "./dom.js";
import { heat } from "./paint.js";

let known = null;
export const agents = () => (known ??= get("agents"));

/** Chooses an agent and its options. */
export class Chooser extends EventTarget {
  constructor(label, chosen) {
    super();
    this.select = el("select", { onchange: () => this.showOptions() });
    this.options = el("div", {});
    this.more = el("details", {}, el("summary", {}, "Options"), this.options);
    this.summary = el("p", { class: "note" });
    this.root = el("div", { class: "stack chooser" },
      el("label", { class: "field" }, label, this.select), this.summary, this.more);
    this.ready = agents().then((all) => {
      this.all = all;
      this.select.replaceChildren(...all.map((one) => el("option", { value: one.name },
        one.report ? `${one.name} (${one.report})` : one.name)));
      this.choose(this.wanted ?? chosen);
    });
  }

  choose(name) {
    this.wanted = name;
    if (!this.all) return;
    const [kind, options = ""] = name.split(":");
    this.select.value = kind;
    this.showOptions(options.split("+"));
  }

  showOptions(on = []) {
    const one = this.all.find((agent) => agent.name === this.select.value);
    this.summary.textContent = one.summary;
    const check = (value, text, checked) => el("label", { class: "check" },
      el("input", { type: "checkbox", value, checked, onchange: () => this.dispatchEvent(new Event("change")) }), text);
    const telling = one.told_total ? ["untold", "is not told the mine total"] : ["total", "is told the mine total"];
    this.options.replaceChildren(...[...Object.entries(one.options), telling].map(
      ([name, text]) => check(name, `${name}: ${text}`, on.includes(name))));
    this.more.open = on.some(Boolean);
    this.dispatchEvent(new Event("change"));
  }

  get name() {
    const on = [...this.options.querySelectorAll("input:checked")].map((input) => input.value);
    return this.select.value + (on.length ? `:${on.join("+")}` : "");
  }
}

/** The numbers that an agent believes in, as marks on cells that are still closed. */
export function beliefMarks(state, beliefs) {
  const marks = new Map();
  if (!beliefs) return marks;
  const most = Math.max(1, ...beliefs.numbers.map((one) => one.number));
  for (const { cell, number, label } of beliefs.numbers) {
    const place = cell[0] * state.cols + cell[1];
    const symbol = state.cells[place];
    if (symbol === "." || symbol === "s" || symbol === "F") {
      marks.set(place, { label, ...heat(number / most) });
    }
  }
  return marks;
}

/** The chance to win before and after a move, in words. */
export const chanceWords = ({ before, after }) => [
  "Chance to win: ", before ? `${before.text} before` : null, before && after ? ", " : null, after ? `${after.text} after` : null, ".",
].filter(Boolean).join("");

/** What an agent did, why, and its sentences. */
export function tell(turn, show) {
  if (!turn) return [el("p", { class: "note" }, "Ask for a move to see what the agent does, why, and what it believes.")];
  const { sentences, left_out } = turn.beliefs;
  return [
    el("p", { class: turn.failed ? "headline problem" : "headline" }, ...linked(turn.text, show)),
    turn.reason ? el("p", {}, ...linked(`Why: ${turn.reason.replace(/[^.!?]$/, "$&.")}`, show)) : null,
    turn.chances ? el("p", { class: "chances" }, chanceWords(turn.chances)) : null,
    sentences.length ? el("h3", {}, "What it believes") : null,
    sentences.length ? el("ul", { class: "sentences", tabindex: "0", "aria-label": "Sentences of the agent" },
      ...sentences.map((text) => el("li", {}, text)),
      left_out ? el("li", {}, `and ${left_out} more`) : null) : null,
  ].filter(Boolean);
}

/** Buttons for one move and for auto-play; `step` makes a move and says whether to go on. */
export class Player {
  constructor(step, name = "AI move") {
    this.step = step;
    this.one = el("button", { type: "button", class: "primary grow", onclick: () => this.once() }, icon("step"), name);
    this.auto = el("button", { type: "button", class: "grow", "aria-pressed": "false", onclick: () => this.toggle() });
    this.speed = el("input", { type: "range", min: "0", max: "6", step: "1", value: "3" });
    this.root = el("div", { class: "stack" },
      el("div", { class: "row" }, this.one, this.auto),
      el("label", { class: "field" }, "Speed", this.speed));
    this.pause();
  }

  show() {
    this.auto.replaceChildren(icon(this.running ? "pause" : "play"), this.running ? "Pause" : "Auto-play");
    this.auto.setAttribute("aria-pressed", String(Boolean(this.running)));
  }

  async once() {
    this.pause();
    this.one.disabled = true;
    try { await this.step(); } finally { this.one.disabled = false; }
  }

  pause() {
    this.running = null;
    this.show();
  }

  async toggle() {
    if (this.running) { this.pause(); return; }
    // Another run may begin before this one has noticed that it was paused.
    const run = this.running = {};
    this.show();
    while (this.running === run) {
      const begun = performance.now();
      if (!(await this.step())) break;
      const wait = [2000, 1000, 500, 250, 100, 30, 0][Number(this.speed.value)] - (performance.now() - begun);
      if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    }
    if (this.running === run) this.pause();
  }
}
