// A game step by step, with each decision judged.

import { get, post, remove } from "./api.js";
import { Board } from "./board.js";
import { el, linked } from "./dom.js";
import { percent } from "./marks.js";
import { copyButton, gameLink } from "./share.js";

const SPACE = "http://www.w3.org/2000/svg";

function svg(name, attributes, ...children) {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export class Review {
  constructor(view, { playAgain }) {
    this.root = el("div", { class: "board", id: "board-review" });
    this.status = el("span", { role: "status" });
    this.message = el("div", { class: "message" }, this.status);
    const button = (name, label, to) => el("button", { type: "button", class: "icon", "aria-label": label, onclick: () => this.go(to()) }, name);
    this.slider = el("input", { type: "range", min: "0", value: "0", "aria-label": "Move", oninput: () => this.go(Number(this.slider.value)) });
    this.steps = el("div", { class: "row stepper" },
      button("«", "To the beginning", () => 0), button("‹", "One move back", () => this.at - 1), this.slider,
      button("›", "One move forward", () => this.at + 1), button("»", "To the end", () => this.found.moves.length));
    this.said = el("div", { class: "said", "aria-live": "polite" });
    this.picture = el("figure", {});
    this.list = el("ol", { class: "decisions" });
    this.progress = el("progress", { max: "1", value: "0", "aria-label": "Progress of the review" });
    this.waiting = el("div", { class: "row", hidden: true }, this.progress,
      el("button", { type: "button", onclick: () => this.cancel() }, "Cancel"));
    view.append(
      el("div", { class: "stage" }, el("div", { class: "frame" }, this.root, this.message), this.steps),
      el("aside", { class: "side", "aria-label": "Review" }, el("div", { class: "panel" },
        el("h2", {}, "Review"), this.waiting, this.said, this.picture, this.list,
        el("div", { class: "row" },
          copyButton("Copy link", () => gameLink(this.found?.line ?? "")),
          el("button", { type: "button", onclick: () => playAgain(this.found?.line) }, "Play this board")))));
    this.board = new Board(this.root, { label: "Reviewed game" });
    this.board.addEventListener("press", () => {});
    this.root.addEventListener("keydown", (event) => {
      const move = { ",": -1, ".": 1 }[event.key];
      if (move) this.go(this.at + move);
    });
  }

  async open(line) {
    if (this.line === line) return;
    this.line = line;
    this.found = null;
    this.list.replaceChildren();
    this.picture.replaceChildren();
    this.said.replaceChildren();
    this.waiting.hidden = false;
    try {
      this.found = await this.follow(await post("jobs", { review: { game: line } }));
      this.show();
    } catch (problem) {
      this.line = null;
      this.said.replaceChildren(el("p", { class: "problem" }, problem.message));
    } finally {
      this.waiting.hidden = true;
    }
  }

  /** Ask for the progress of a job until it is done. */
  async follow(job) {
    this.job = job.id;
    while (job.state === "running") {
      await new Promise((done) => setTimeout(done, 120));
      job = await get(`jobs/${job.id}`);
      if (job.total) [this.progress.max, this.progress.value] = [job.total, job.done];
    }
    if (job.state !== "done") throw new Error(job.detail);
    return job.result;
  }

  cancel() {
    if (this.job) remove(`jobs/${this.job}`).catch(() => {});
  }

  show() {
    const { found } = this;
    this.judged = new Map(found.judged.map((one) => [one.move, one]));
    this.slider.max = String(found.moves.length);
    this.said.replaceChildren(...found.text.map((line, at) => el("p", { class: at ? null : "headline" }, ...linked(line, (cell) => this.board.point(cell)))));
    this.picture.replaceChildren(...(found.judged.length ? [picture(found, (move) => this.go(move)), caption()] : []));
    const telling = found.judged.filter((one) => one.verdict === "forced" || one.verdict === "needless");
    this.list.replaceChildren(...telling.map((one) => el("li", {}, el("button", {
      type: "button", class: `quiet ${one.verdict}`, onclick: () => this.go(one.move),
    }, el("b", {}, one.verdict === "forced" ? "Forced" : "Needless"), el("span", {}, `Move ${one.move + 1}, ${one.text}`)))));
    const worst = telling.reduce((best, one) => (one.needless > (best?.needless ?? 0) ? one : best), null);
    this.go((worst ?? telling.at(-1))?.move ?? found.moves.length);
  }

  /** Show the position before a move, with that move marked; after the last one, the end. */
  go(at) {
    const { found } = this;
    if (!found) return;
    this.at = Math.min(Math.max(at, 0), found.moves.length);
    this.slider.value = String(this.at);
    const symbols = [...found.start];
    for (const { changes } of found.moves.slice(0, this.at)) {
      for (const [place, symbol] of changes) symbols[place] = symbol;
    }
    const marks = new Map();
    const place = ([row, col]) => row * found.cols + col;
    const move = found.moves[this.at];
    if (move) {
      const one = this.judged.get(this.at);
      if (one && one.verdict === "needless") marks.set(place(one.best), { best: true });
      marks.set(place(move.cell), { ...marks.get(place(move.cell)), goal: true });
      const who = move.by && move.by !== "person" ? ` by ${move.by}` : "";
      this.status.replaceChildren(`Move ${this.at + 1} of ${found.moves.length}${who}: ${move.kind} `,
        one ? one.text : `(${move.cell[0]}, ${move.cell[1]}).`);
      this.message.className = `message${one?.hit ? " bad" : ""}`;
    } else {
      if (found.board) {
        for (const cell of found.board) {
          if (symbols[place(cell)] === ".") symbols[place(cell)] = found.outcome === "won" ? "F" : "m";
        }
      }
      this.status.textContent = found.outcome ? `The end: ${found.outcome}.` : "The game is not over.";
      this.message.className = `message${found.outcome === "won" ? " good" : found.outcome === "lost" ? " bad" : ""}`;
    }
    this.board.show(found.rows, found.cols, symbols.join(""), this.at);
    this.board.mark(marks);
    if (move) this.board.reveal(move.cell);
  }
}

/** The chance to have come this far, with the best choices and with those made, and each risk. */
function picture(found, go) {
  const [wide, high, low] = [336, 96, 56];
  const { judged } = found;
  const step = wide / Math.max(judged.length, 1);
  const lines = { best: [[0, 0]], own: [[0, 0]] };
  let [best, own] = [1, 1];
  for (const [at, one] of judged.entries()) {
    best *= 1 - one.lowest;
    own *= 1 - one.risk;
    for (const [line, chance] of [[lines.best, best], [lines.own, own]]) {
      line.push([at * step + step / 2, line.at(-1)[1]], [at * step + step / 2, (1 - chance) * high]);
    }
  }
  for (const line of Object.values(lines)) line.push([wide, line.at(-1)[1]]);
  const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
  const bars = judged.flatMap((one, at) => {
    const thick = Math.max(Math.min(step * .7, 14), 1);
    const x = at * step + (step - thick) / 2;
    const floor = high + 14 + low;
    const bar = (from, share, name) => (share > 0
      ? [svg("rect", { class: name, x, width: thick, y: floor - (from + share) * low, height: Math.max(share * low, 1) })] : []);
    const group = svg("g", { class: "bar" },
      svg("rect", { class: "hit-area", x: at * step, y: high + 14, width: step, height: low }),
      ...bar(0, Math.min(one.risk, one.lowest), "forced"), ...bar(Math.min(one.risk, one.lowest), one.needless, "needless"),
      ...(one.hit ? [svg("circle", { class: "blast", cx: at * step + step / 2, cy: floor - one.risk * low, r: 4 })] : []));
    group.addEventListener("click", () => go(one.move));
    return [group];
  });
  const label = `Of such games, ${share(found.best_survival)} get through with the lowest risk each time and ${share(found.survival)} with these choices; ${found.hits} hit.`;
  return svg("svg", { class: "luck", viewBox: `0 -12 ${wide} ${high + 30 + low}`, role: "img", "aria-label": label },
    svg("path", { class: "gap", d: `${path(lines.best)}L${lines.own.toReversed().map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z` }),
    svg("path", { class: "line best", d: path(lines.best) }), svg("path", { class: "line own", d: path(lines.own) }),
    svg("text", { x: 0, y: -3 }, "100%"), svg("text", { x: 0, y: high - 3 }, "0%"),
    svg("path", { class: "axis", d: `M0 ${high}H${wide}M0 ${high + 14 + low}H${wide}` }), ...bars);
}

const share = (chance) => (chance === 0 || chance === 1 ? `${chance * 100}%` : percent(chance));

function caption() {
  const key = (name, text) => el("span", {}, el("i", { class: name }), text);
  return el("figcaption", { class: "legend" },
    key("k-best", "chance to come this far, lowest risk each time"), key("k-own", "with these choices"),
    key("k-forced", "risk that had to be taken"), key("k-needless", "needless risk"), key("k-blast", "a mine"));
}
