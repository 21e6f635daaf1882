// A game step by step, with each decision judged.

import { get, post, remove } from "./api.js";
import { Board } from "./board.js";
import { chanceWords } from "./agents.js";
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
    this.picture.replaceChildren(...(found.judged.length ? [picture(found, (move) => this.go(move)), caption(found)] : []));
    const telling = found.judged.filter((one) => one.verdict === "forced" || one.verdict === "needless");
    this.list.replaceChildren(...telling.map((one) => el("li", {}, el("button", {
      type: "button", class: `quiet ${one.verdict}`, onclick: () => this.go(one.move),
    }, el("b", {}, one.verdict === "forced" ? "Forced" : one.lowest > 0 && one.chosen ? "Weak" : "Needless"), el("span", {}, `Move ${one.move + 1}, ${one.text}`)))));
    const weight = (one) => (one ? one.cost || one.needless : 0);
    const worst = telling.reduce((best, one) => (weight(one) > weight(best) ? one : best), null);
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
        one ? one.text : `(${move.cell[0]}, ${move.cell[1]}).`,
        one && (one.before || one.after) ? el("span", { class: "chances" }, ` ${chanceWords(one)}`) : "");
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

const [WIDE, HIGH, LOW] = [336, 96, 56];
const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
const within = (points) => points.map(([x, chance]) => [x, (1 - Math.min(Math.max(chance, 0), 1)) * HIGH]);

/** Chances along the game, and the risk of each opening below them. */
function picture(found, go) {
  const { judged } = found;
  const step = WIDE / Math.max(judged.length, 1);
  const { parts, label } = found.by_champion ? winning(found, step) : surviving(found, step);
  const floor = HIGH + 14 + LOW;
  const bars = judged.map((one, at) => {
    const thick = Math.max(Math.min(step * .7, 14), 1);
    const x = at * step + (step - thick) / 2;
    const bar = (from, part, name) => (part > 0
      ? [svg("rect", { class: name, x, width: thick, y: floor - (from + part) * LOW, height: Math.max(part * LOW, 1) })] : []);
    const forced = one.risk - one.needless;
    const group = svg("g", { class: "bar" },
      svg("rect", { class: "hit-area", x: at * step, y: HIGH + 14, width: step, height: LOW }),
      ...bar(0, forced, "forced"), ...bar(forced, one.needless, "needless"),
      ...(one.hit ? [svg("circle", { class: "blast", cx: at * step + step / 2, cy: floor - one.risk * LOW, r: 4 })] : []));
    group.addEventListener("click", () => go(one.move));
    return group;
  });
  return svg("svg", { class: "luck", viewBox: `0 -12 ${WIDE} ${HIGH + 30 + LOW}`, role: "img", "aria-label": label },
    ...parts, svg("text", { x: 0, y: -3 }, "100%"), svg("text", { x: 0, y: HIGH - 3 }, "0%"),
    svg("path", { class: "axis", d: `M0 ${HIGH}H${WIDE}M0 ${floor}H${WIDE}` }), ...bars);
}

/** The chance to win before every opening and at the end, with what the choices gave away. */
function winning(found, step) {
  const { judged } = found;
  const known = judged.flatMap((one, at) => (one.before ? [[at * step, one.before]] : []));
  if (judged.at(-1).after) known.push([WIDE, judged.at(-1).after]);
  const side = (sign) => within(known.map(([x, { win, error }]) => [x, win + 2 * sign * error]));
  const given = judged.flatMap((one, at) => (one.cost > 0
    ? [svg("path", { class: "line given", d: path(within([[at * step, one.before.win], [at * step, one.chosen.win]])) })] : []));
  const total = (name) => Math.round(100 * judged.reduce((sum, one) => sum + one[name], 0));
  const luck = total("luck");
  return {
    parts: [
      svg("path", { class: "band", d: `${path(side(1))}L${path(side(-1).toReversed()).slice(1)}Z` }),
      svg("path", { class: "line own", d: path(within(known.map(([x, { win }]) => [x, win]))) }), ...given,
    ],
    label: `The chance to win along the game: the choices gave away ${total("cost")} points of 100, and luck ${luck < 0 ? "took" : "added"} ${Math.abs(luck)}.`,
  };
}

/** The chance to have come this far, with the lowest risk each time and with the choices made. */
function surviving(found, step) {
  const lines = { best: [[0, 1]], own: [[0, 1]] };
  for (const [at, one] of found.judged.entries()) {
    for (const [line, risk] of [[lines.best, one.lowest], [lines.own, one.risk]]) {
      const chance = line.at(-1)[1];
      line.push([(at + .5) * step, chance], [(at + .5) * step, chance * (1 - risk)]);
    }
  }
  for (const line of Object.values(lines)) line.push([WIDE, line.at(-1)[1]]);
  const [best, own] = [within(lines.best), within(lines.own)];
  return {
    parts: [
      svg("path", { class: "gap", d: `${path(best)}L${path(own.toReversed()).slice(1)}Z` }),
      svg("path", { class: "line best", d: path(best) }), svg("path", { class: "line own", d: path(own) }),
    ],
    label: `Of such games, ${share(found.best_survival)} get through with the lowest risk each time and ${share(found.survival)} with these choices; ${found.hits} hit.`,
  };
}

const share = (chance) => (chance === 0 || chance === 1 ? `${chance * 100}%` : percent(chance));

function caption({ by_champion }) {
  const key = (name, text) => el("span", {}, el("i", { class: name }), text);
  const lines = by_champion
    ? [key("k-own", "chance to win, estimated or exact"), key("k-given", "given away by a choice")]
    : [key("k-best", "chance to come this far, lowest risk each time"), key("k-own", "with these choices")];
  return el("figcaption", { class: "legend" }, ...lines,
    key("k-forced", "risk that had to be taken"), key("k-needless", "needless risk"), key("k-blast", "a mine"));
}
