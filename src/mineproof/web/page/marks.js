// What lies on the cells: risks, dead cells and 50/50s, the premises and steps of a proof.

import { el } from "./dom.js";
import { SAFE, MINE, FRAME, MARK, heat } from "./paint.js";

/** A risk in at most four characters; only what is certain is ever 0% or 100%. */
export const percent = (risk) => (risk < .01 ? "<1%" : risk > .99 ? ">99%" : `${Math.round(risk * 100)}%`);

/** Risks as colours and numbers. */
export function riskMarks(risks) {
  const marks = new Map();
  const place = ([row, col]) => row * risks.cols + col;
  for (const [row, line] of risks.risk.entries()) {
    for (const [col, risk] of line.entries()) {
      if (risk === null) continue;
      const at = place([row, col]);
      marks.set(at, { label: percent(risk), ...heat(risk), said: `risk ${percent(risk)}` });
    }
  }
  for (const [cells, sign] of [[risks.safe, "safe"], [risks.mined, "mine"]]) {
    for (const cell of cells) {
      marks.set(place(cell), { sign, said: sign === "safe" ? "certainly safe" : "certainly a mine" });
    }
  }
  if (risks.best && !risks.safe.length) {
    const at = place(risks.best.cell);
    marks.set(at, { ...marks.get(at), best: true });
  }
  return marks;
}

export function adviceMarks(advice, cols) {
  const marks = new Map();
  for (const [row, col] of advice.dead) marks.set(row * cols + col, { dead: true });
  for (const pair of advice.fifty_fifties) {
    for (const [row, col] of pair) marks.set(row * cols + col, { half: true, dead: false });
  }
  if (advice.choice) {
    const at = advice.choice[0] * cols + advice.choice[1];
    marks.set(at, { ...marks.get(at), goal: true, said: "the best guess" });
  }
  return marks;
}

/** The premises and the goal of an explanation; with a step, what that step looks at and settles. */
export function proofMarks(found, cols, step = null) {
  const marks = new Map();
  const lay = ([row, col], mark) => {
    const at = row * cols + col;
    marks.set(at, { ...marks.get(at), ...mark });
  };
  if (step) {
    for (const [cell, mine] of step.assumed) lay(cell, { sign: mine ? "mine" : "safe", hatched: true });
    const hatched = step.depth > 0;
    for (const cell of step.safe) lay(cell, { sign: "safe", hatched });
    for (const cell of step.mined) lay(cell, { sign: "mine", hatched });
    for (const cell of step.clues) lay(cell, { premise: true, said: "premise" });
  } else {
    for (const cell of found.premises) lay(cell, { premise: true, said: "premise" });
    if (found.status === "safe" || found.status === "mine") lay(found.cell, { sign: found.status });
  }
  lay(found.cell, { goal: true });
  return marks;
}

export function legend() {
  const chip = (colour, text, attributes = {}) => {
    const sign = el("i", attributes);
    sign.style.background = colour;
    return el("span", {}, sign, text);
  };
  const frame = (colour, text) => {
    const sign = el("i");
    sign.style.boxShadow = `inset 0 0 0 3px ${colour}`;
    return el("span", {}, sign, text);
  };
  return el("div", { class: "legend" },
    chip(SAFE, "certainly safe"), chip(MINE, "certainly a mine"),
    chip(`linear-gradient(90deg, ${[0, .25, .5, .75, 1].map((at) => heat(at).paper).join(", ")})`, "risk, low to high"),
    frame(FRAME, "lowest risk, or a premise"), frame(MARK, "the cell in question, or the best guess"),
    el("span", {}, el("b", {}, "×"), "dead: its clue would tell you nothing"),
    el("span", {}, el("b", {}, "½"), "50/50"));
}
