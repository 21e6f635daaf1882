// Hints, reasons and risks beside the board.

import { get } from "./api.js";
import { el, linked } from "./dom.js";
import { adviceMarks, legend, percent, proofMarks, riskMarks } from "./marks.js";

const MOST_CELLS = 2_500;

/** Words of an explanation: its steps light up what they are about. */
export function explained(found, { show, mark }) {
  const steps = el("ol", { class: "steps" }, ...found.steps.map((step) => {
    const choose = () => {
      for (const other of steps.children) other.removeAttribute("aria-current");
      item.setAttribute("aria-current", "step");
      mark(step);
    };
    const item = el("li", { tabindex: "0", class: step.depth ? "case" : null,
      onclick: choose, onkeydown: (event) => { if (event.key === "Enter") choose(); } },
    el("span", {}, ...linked(step.text, show)));
    item.style.setProperty("--depth", step.depth);
    return item;
  }));
  return [
    el("p", { class: "headline" }, ...linked(found.text, show)),
    found.premises.length && found.status !== "uncertain"
      ? el("p", { class: "note" }, "The framed clues are all it takes. Choose a step to see it on the board.") : null,
    found.uses_total ? el("p", { class: "note" }, "The number of mines is needed too.") : null,
    found.steps.length ? steps : null,
  ].filter(Boolean);
}

/** Lines of advice, and the guesses that are worth comparing. */
export function advised(advice, show) {
  const lines = advice.text.map((line, at) => el("p", { class: at ? null : "headline" }, ...linked(line, show)));
  if (!advice.guesses.length) return lines;
  const exact = advice.guesses.every((guess) => !guess.error);
  const row = ({ cell, risk, win, error, progress, dead, fifty_fifty: half }) => el("tr", {},
    el("th", { scope: "row" }, ...linked(`(${cell[0]}, ${cell[1]})`, show), half ? " ½" : dead ? " ×" : null),
    el("td", {}, percent(risk)), el("td", {}, tenths(win), error ? el("small", {}, ` ± ${(200 * error).toFixed(0)}`) : null),
    el("td", {}, tenths(progress)));
  return [...lines, el("table", { class: "guesses" },
    el("caption", { class: "note" }, exact ? "Chances to win by best play, computed exactly" : "Chances to win by playing on as the champion does, estimated"),
    el("thead", {}, el("tr", {}, ...["Cell", "Risk", "Wins", "Progress"].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, ...advice.guesses.map(row)))];
}

const tenths = (share) => `${(100 * share).toFixed(1)}%`;

export class Help {
  constructor(panel, play) {
    this.play = play;
    this.said = el("div", { class: "said", "aria-live": "polite" });
    this.legend = legend();
    this.legend.hidden = true;
    panel.append(
      el("div", { class: "row" },
        el("button", { type: "button", class: "primary grow", onclick: () => this.hint() }, "Hint"),
        el("button", { type: "button", class: "grow", onclick: () => this.advise() }, "May I guess?")),
      this.said, this.legend);
    this.clear();
  }

  get path() { return `games/${this.play.game.state.id}`; }

  show = (cell) => this.play.board.point(cell);

  clear() {
    this.current = null;
    this.marks = new Map();
    this.said.replaceChildren(el("p", { class: "note" },
      "A hint says where to look first, then at which clues, then what follows. With Why? on, click any cell to see its proof or its risk."));
  }

  say(...parts) {
    this.said.replaceChildren(...parts);
  }

  lay(marks) {
    this.marks = marks;
    this.play.mark();
  }

  /** Ask about the present position; an answer that comes after a move is dropped. */
  async ask(path) {
    const { state } = this.play.game;
    this.asking?.abort();
    this.asking = new AbortController();
    const waiting = setTimeout(() => this.say(el("p", { class: "note" }, "Thinking …")), 250);
    try {
      const answer = await this.play.try(() => get(`${this.path}/${path}`, this.asking.signal));
      return answer && this.play.game.state.moves === state.moves ? answer : null;
    } finally {
      clearTimeout(waiting);
    }
  }

  async hint() {
    this.play.openTab("tab-help");
    if (this.current) { this.nextStage(); return; }
    const found = await this.ask("hint");
    if (!found) return;
    if (!found.stages.length) {
      this.say(...advised(found.advice, this.show));
      this.lay(adviceMarks(found.advice, this.play.game.state.cols));
      return;
    }
    this.current = { found, stage: 0 };
    this.nextStage();
  }

  nextStage() {
    const { found } = this.current;
    const stage = Math.min(++this.current.stage, 4);
    const { cols } = this.play.game.state;
    const { proof } = found;
    if (stage === 4) { this.explain(proof); return; }
    const more = ["Which clues?", "Which cell?", "Why?"][stage - 1];
    this.say(
      ...found.stages.slice(0, stage).map((text) => el("p", { class: "headline" }, ...linked(text, this.show))),
      el("button", { type: "button", onclick: () => this.nextStage() }, more));
    const marks = proofMarks(proof, cols);
    if (stage < 3) marks.delete(this.play.game.place(proof.cell));
    this.lay(stage === 1 ? new Map() : marks);
  }

  explain(found) {
    this.current = null;
    const { cols } = this.play.game.state;
    this.say(...explained(found, { show: this.show, mark: (step) => this.lay(proofMarks(found, cols, step)) }));
    this.lay(proofMarks(found, cols));
  }

  async why([row, col]) {
    this.play.openTab("tab-help");
    const found = await this.ask(`why?row=${row}&col=${col}`);
    if (found) this.explain(found);
  }

  async advise() {
    const advice = await this.ask("advice");
    if (!advice) return;
    this.current = null;
    this.say(...advised(advice, this.show));
    this.lay(adviceMarks(advice, this.play.game.state.cols));
  }

  /** The risks of the present position as marks; null if there are none. */
  async risks() {
    const { state } = this.play.game;
    this.reading?.abort();
    this.reading = new AbortController();
    try {
      const { signal } = this.reading;
      const asked = [get(`${this.path}/risks`, signal)];
      // Dead cells take long to find on a large board: there only May I guess? marks them.
      if (state.rows * state.cols <= MOST_CELLS) asked.push(get(`${this.path}/advice?samples=0`, signal));
      const [risks, advice] = await Promise.all(asked);
      if (this.play.game.state.moves !== state.moves) return null;
      const marks = riskMarks(risks);
      for (const [place, mark] of advice ? adviceMarks(advice, state.cols) : []) {
        marks.set(place, { ...marks.get(place), ...mark });
      }
      return marks;
    } catch (problem) {
      return problem.name === "AbortError" || problem.status === 409 ? null : this.play.try(() => { throw problem; });
    }
  }
}
