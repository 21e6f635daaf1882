// Any position: painted, pasted or from a link, with its risks, advice and proofs.

import { post } from "./api.js";
import { Board } from "./board.js";
import { el, linked } from "./dom.js";
import { advised, explained } from "./help.js";
import { adviceMarks, legend, proofMarks, riskMarks } from "./marks.js";
import { copyButton, positionLink, readPosition } from "./share.js";

const BRUSHES = [
  ["why", "Ask"], [".", "Closed"], ["F", "Flag"], ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((clue) => [String(clue), String(clue)]),
  ["?", "No clue"], ["~", "Late"], ["s", "Safe"], ["*", "Mine"],
];
const EXAMPLE = `12x9x18
001.........
001.2113....
00111002....
00000001....
00000011....
0000012.....
011101......
13.2012.....
...2001.....`;
const CHANNELS = {
  exact: "exact", "lost:0.1": "10% are lost", "lost:0.25": "25% are lost", "lost:0.5": "50% are lost",
  optimistic: "optimistic: too low", cautious: "cautious: too high",
};
const HEADER = /^\s*\d+\s*x\s*\d+/i;

export class Analyse {
  constructor(view) {
    this.brush = "why";
    this.root = el("div", { class: "board", id: "board-analyse" });
    this.status = el("span", { role: "status" });
    this.message = el("div", { class: "message" }, this.status);
    this.brushes = el("div", { class: "brushes", role: "toolbar", "aria-label": "Brush" },
      ...BRUSHES.map(([symbol, name]) => el("button", {
        type: "button", "data-brush": symbol, "aria-pressed": String(symbol === this.brush),
        onclick: () => this.choose(symbol),
      }, name)));
    const changed = () => this.fromText();
    this.text = el("textarea", { rows: "9", spellcheck: "false", autocapitalize: "off", oninput: changed });
    this.mines = el("input", { type: "number", min: "0", placeholder: "unknown", oninput: () => this.setMines() });
    this.channel = el("select", { onchange: changed },
      ...Object.entries(CHANNELS).map(([value, text]) => el("option", { value }, text)));
    this.trust = el("input", { type: "checkbox", onchange: changed });
    this.newRows = el("input", { type: "number", min: "1", max: "300", value: "9" });
    this.newCols = el("input", { type: "number", min: "1", max: "300", value: "9" });
    this.said = el("div", { class: "said", "aria-live": "polite" });
    view.append(
      el("div", { class: "stage" }, this.brushes, el("div", { class: "frame" }, this.root, this.message), legend()),
      el("aside", { class: "side", "aria-label": "Position and answers" }, el("div", { class: "panel" },
        this.said,
        el("label", { class: "field" }, "Position as text", this.text),
        el("p", { class: "note" }, "One line per row: . closed, 0–8 a clue, ? open without a clue, ~ a clue that is late, F flag, s known safe, * exploded mine."),
        el("div", { class: "fields" },
          el("label", { class: "field" }, "Mines", this.mines),
          el("label", { class: "field wide" }, "Clues", this.channel)),
        el("label", { class: "check" }, this.trust, "Flags are mines"),
        el("div", { class: "row" }, copyButton("Copy link", () => positionLink(this.text.value, this.channel.value))),
        el("details", {}, el("summary", {}, "Empty board"), el("div", { class: "fields" },
          el("label", { class: "field" }, "Rows", this.newRows), el("label", { class: "field" }, "Columns", this.newCols),
          el("button", { type: "button", onclick: () => this.empty() }, "Make"))))));
    this.board = new Board(this.root, { label: "Position" });
    this.board.addEventListener("press", ({ detail }) => this.press(detail));
    this.board.addEventListener("key", ({ detail }) => this.key(detail));
    this.root.addEventListener("keydown", (event) => {
      if (/^[0-8.?~*]$/.test(event.key) && !event.ctrlKey) this.paint(this.board.focus, event.key);
    });
  }

  begin() {
    if (!this.text.value) this.load(EXAMPLE);
  }

  open(hash) {
    const { text, channel } = readPosition(hash);
    if (!(channel in CHANNELS)) this.channel.append(el("option", { value: channel }, channel));
    this.channel.value = channel;
    this.load(text);
  }

  load(text) {
    this.text.value = text;
    this.fromText();
  }

  choose(symbol) {
    this.brush = symbol;
    for (const button of this.brushes.children) {
      button.setAttribute("aria-pressed", String(button.dataset.brush === symbol));
    }
    this.root.classList.toggle("asking", symbol === "why");
  }

  // ------------------------------------------------------------------------------------- editing

  /** Rows of the text, without header and blanks; null if they cannot be drawn. */
  rows() {
    const lines = this.text.value.split(/\r?\n/).map((line) => line.replace(/\s/g, "")).filter(Boolean);
    if (lines.length && HEADER.test(lines[0])) lines.shift();
    const fits = lines.length && lines.every((line) => line.length === lines[0].length && /^[0-8.?~Fs*]+$/.test(line));
    return fits && lines.length * lines[0].length <= 250_000 ? lines : null;
  }

  header() {
    return this.text.value.split(/\r?\n/).find((line) => HEADER.test(line)) ?? null;
  }

  fromText() {
    const rows = this.rows();
    this.mines.value = this.header()?.match(/^\s*\d+\s*x\s*\d+\s*x\s*(\d+)/i)?.[1] ?? "";
    if (rows) {
      this.board.mark(new Map());
      this.board.show(rows.length, rows[0].length, rows.join(""));
    }
    this.analyse();
  }

  write(rows) {
    const mines = this.mines.value;
    this.text.value = [...(mines === "" ? [] : [`${rows[0].length}x${rows.length}x${mines}`]), ...rows].join("\n");
    this.board.mark(new Map());
    this.board.show(rows.length, rows[0].length, rows.join(""));
    this.analyse();
  }

  setMines() {
    const rows = this.rows();
    if (rows) this.write(rows);
  }

  empty() {
    const [rows, cols] = [this.newRows, this.newCols].map((input) => Math.min(Math.max(Number(input.value) || 9, 1), 300));
    this.mines.value = "";
    this.choose("1");
    this.write(Array.from({ length: rows }, () => ".".repeat(cols)));
  }

  paint([row, col], symbol) {
    const rows = this.rows();
    if (!rows) return;
    const line = rows[row];
    rows[row] = line.slice(0, col) + symbol + line.slice(col + 1);
    this.write(rows);
  }

  press({ cell, kind }) {
    if (kind === "second") this.paint(cell, this.board.symbol(cell) === "F" ? "." : "F");
    else if (this.brush === "why") this.why(cell);
    else this.paint(cell, this.brush);
  }

  key({ cell, key }) {
    if (key === "f") this.paint(cell, this.board.symbol(cell) === "F" ? "." : "F");
    else if (key === "s") this.paint(cell, "s");
    else if (key === "w" || key === "enter") this.why(cell);
    else if (key === " ") { if (this.brush === "why") this.why(cell); else this.paint(cell, this.brush); }
  }

  // ------------------------------------------------------------------------------------- answers

  get question() {
    return { position: this.text.value, channel: this.channel.value, flags: this.trust.checked ? "trust" : "ignore" };
  }

  show = (cell) => this.board.point(cell);

  say(text, kind = "") {
    this.message.className = `message ${kind}`;
    this.status.textContent = text;
  }

  analyse() {
    clearTimeout(this.soon);
    this.asking?.abort();
    this.soon = setTimeout(() => this.ask(), 150);
  }

  async ask() {
    const asking = this.asking = new AbortController();
    this.slow = setTimeout(() => {
      this.say("Thinking …");
      this.said.replaceChildren(el("p", { class: "note" }, "This position takes longer. "),
        el("button", { type: "button", onclick: () => { asking.abort(); this.say("Cancelled."); } }, "Cancel"));
    }, 700);
    try {
      this.answer = await post("analyse", { ...this.question, samples: 0 }, asking.signal);
      this.tell();
      if (this.answer.advice?.may_guess) await this.weigh(asking);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      this.answer = null;
      this.board.mark(new Map());
      this.say(problem.message, "bad");
      this.said.replaceChildren();
    } finally {
      clearTimeout(this.slow);
    }
  }

  /** Estimate where to guess best, which takes longer than all other answers. */
  async weigh(asking) {
    const { answer } = this;
    clearTimeout(this.slow);
    // Not for every stroke of a brush.
    await new Promise((done) => setTimeout(done, 400));
    if (asking.signal.aborted) return;
    this.said.append(el("p", { class: "note" }, "Estimating chances to win …"));
    answer.advice = (await post("analyse", this.question, asking.signal)).advice;
    // Not while the reader looks at the proof of a cell.
    if (this.answer === answer && !this.explaining) this.tell();
  }

  tell() {
    const { answer } = this;
    this.explaining = false;
    if (answer.contradiction) {
      const { text, clues, flags } = answer.contradiction;
      const marks = new Map([...clues, ...flags].map(([row, col]) => [row * this.board.cols + col, { clash: true, said: "clashes" }]));
      this.board.mark(marks);
      this.say(`These clues ${flags.length ? "and flags " : ""}cannot all be right.`, "bad");
      this.said.replaceChildren(el("p", { class: "headline problem" }, ...linked(text, this.show)));
      return;
    }
    this.base = riskMarks(answer);
    if (answer.advice) {
      for (const [place, mark] of adviceMarks(answer.advice, answer.cols)) this.base.set(place, { ...this.base.get(place), ...mark });
    }
    this.lay(new Map());
    const certain = answer.safe.length + answer.mined.length;
    this.say(`${answer.safe.length} certainly safe, ${answer.mined.length} certainly mines. ${layouts(answer)}`);
    this.said.replaceChildren(
      ...(answer.advice ? advised(answer.advice, this.show) : answer.text.map((line) => el("p", {}, ...linked(line, this.show)))),
      ...(certain ? [this.proofList()] : []));
  }

  proofList() {
    const { proofs, unproved } = this.answer;
    return el("details", { open: proofs.length <= 12 },
      el("summary", {}, `Proofs of ${proofs.length} cells`),
      el("ul", { class: "proofs" }, ...proofs.map((found) => el("li", {},
        el("button", { type: "button", class: "quiet", onclick: () => this.explain(found) }, found.text.replace(/\.$/, ""))))),
      unproved ? el("p", { class: "note" }, `${unproved} more cells are certain: ask for them one by one.`) : null);
  }

  lay(marks) {
    const all = new Map(this.base);
    for (const [place, mark] of marks) all.set(place, { ...all.get(place), ...mark });
    this.board.mark(all);
  }

  explain(found) {
    this.explaining = true;
    this.lay(proofMarks(found, this.board.cols));
    this.said.replaceChildren(
      ...explained(found, { show: this.show, mark: (step) => this.lay(proofMarks(found, this.board.cols, step)) }),
      el("button", { type: "button", onclick: () => this.tell() }, "Back to all answers"));
  }

  async why(cell) {
    if (!this.answer || this.answer.contradiction) return;
    try {
      this.explain(await post("why", { ...this.question, cell }));
    } catch (problem) {
      this.say(problem.message, "bad");
    }
  }
}

function layouts({ exact, layouts: count, log10_layouts }) {
  if (!exact) return "The risks are estimates: the position is too wide to count.";
  if (count.length < 10) return `${Number(count).toLocaleString("en")} layout${count === "1" ? " fits" : "s fit"}.`;
  return `About 10^${log10_layouts.toFixed(1)} layouts fit.`;
}
