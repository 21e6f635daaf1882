// The form for a new game: levels, sizes, rules, and the presets of the reports.

import { el } from "./dom.js";

export const NAMES = { beginner: "Beginner", intermediate: "Intermediate", expert: "Expert" };
const START = { safe: "The first cell is safe", zero: "It and its neighbours are safe", any: "Anything goes" };
const CLUES = {
  exact: "Exact", lost: "Some are lost", late: "Late: they arrive after other openings", optimistic: "Optimistic: too low", cautious: "Cautious: too high",
};

export class Setup extends EventTarget {
  constructor(panel, offer) {
    super();
    this.offer = offer;
    this.chosen = { level: "beginner" };
    this.preset = null;
    const level = (name) => offer.levels.find((one) => one.name === name);
    this.levels = el("div", { class: "choices", role: "group", "aria-label": "Level" },
      ...Object.entries(NAMES).map(([name, title]) => {
        const { rows, cols, mines } = level(name);
        return el("button", {
          type: "button", "data-level": name,
          onclick: () => { this.chooseLevel(name); this.start(); },
        }, title, el("small", {}, `${cols} × ${rows}, ${mines} mines`));
      }),
      el("button", { type: "button", "data-level": "custom", onclick: () => this.chooseLevel("custom") },
        "Custom", el("small", {}, "any size")));
    const number = (label, name, value, most) => {
      this[name] = el("input", { type: "number", min: "0", max: String(most), value: String(value), name });
      return el("label", { class: "field" }, label, this[name]);
    };
    const select = (label, name, options) => {
      this[name] = el("select", { name }, ...Object.entries(options).map(([value, text]) => el("option", { value }, text)));
      return el("label", { class: "field" }, label, this[name]);
    };
    this.size = el("div", { class: "fields", hidden: true },
      number("Rows", "rows", 20, offer.most_side), number("Columns", "cols", 30, offer.most_side),
      number("Mines", "mines", 120, offer.most_cells));
    this.noGuess = el("input", { type: "checkbox", name: "no-guess", onchange: () => this.chooseNoGuess() });
    this.presets = el("select", { "aria-label": "Conditions of a report", onchange: () => this.choosePreset() },
      el("option", { value: "" }, "Usual rules"),
      ...offer.presets.map((one) => el("option", { value: one.name }, `${one.name}: ${one.title}`)));
    this.note = el("p", { class: "note", hidden: true });
    this.presetLevels = el("div", { class: "row", role: "group", "aria-label": "Level of the report" });
    this.goesOn = el("input", { type: "checkbox" });
    this.cascades = el("input", { type: "checkbox", checked: true });
    this.rules = el("details", {},
      el("summary", {}, "Rules and clues"),
      el("div", { class: "stack" },
        select("Start", "begin", START),
        el("label", { class: "check" }, this.goesOn, "Play goes on after a mine"),
        el("label", { class: "check" }, this.cascades, "A zero opens its neighbours"),
        number("Given safe cells", "given", 0, offer.most_cells),
        select("Clues", "clues", CLUES),
        this.lost = el("label", { class: "field", hidden: true }, "Chance, from 0 to 1",
          this.chance = el("input", { type: "number", min: "0", max: "1", step: "0.05", value: "0.25" }))));
    this.clues.addEventListener("change", () => { this.lost.hidden = !["lost", "late"].includes(this.clues.value); });
    panel.append(
      el("h2", {}, "New game"), this.levels, this.size,
      el("label", { class: "check" }, this.noGuess, "No guess needed: logic is enough"),
      el("label", { class: "field" }, "Conditions", this.presets), this.note, this.presetLevels, this.rules,
      el("div", { class: "row" },
        el("button", { class: "primary grow", type: "button", onclick: () => this.start() }, "New game"),
        el("button", {
          type: "button", title: "Play the same board again from the beginning",
          onclick: () => this.dispatchEvent(new Event("reset")),
        }, "Reset")));
    this.chooseLevel("beginner");
  }

  chooseLevel(name) {
    this.level = name;
    this.size.hidden = name !== "custom";
    for (const button of this.levels.children) {
      button.setAttribute("aria-pressed", String(button.dataset.level === name));
    }
  }

  /** Boards without guesses begin with an opening and have exact clues. */
  chooseNoGuess() {
    if (!this.noGuess.checked) return;
    this.begin.value = "zero";
    this.clues.value = "exact";
    this.lost.hidden = true;
  }

  choosePreset() {
    const preset = this.offer.presets.find((one) => one.name === this.presets.value) ?? null;
    this.preset = preset;
    const game = preset?.game ?? {};
    this.noGuess.checked = false;
    this.begin.value = game.start ?? "safe";
    this.goesOn.checked = game.on_mine === "continue";
    this.cascades.checked = game.cascade ?? true;
    this.given.value = String(game.given_safe ?? 0);
    this.clues.value = "exact";
    this.lost.hidden = true;
    this.note.hidden = !preset;
    this.note.textContent = preset?.note ?? "";
    this.presetLevels.replaceChildren(...(preset?.levels ?? []).map((name) => {
      const { rows, cols, mines } = this.offer.levels.find((one) => one.name === name);
      return el("button", {
        type: "button",
        onclick: () => {
          this.setSize(rows, cols, mines);
          this.given.value = String(Math.round(Math.sqrt(rows * cols)));
          this.start();
        },
      }, name[0].toUpperCase() + name.slice(1));
    }));
    if (preset?.levels.length) {
      const { rows, cols, mines } = this.offer.levels.find((one) => one.name === preset.levels[0]);
      this.setSize(rows, cols, mines);
    } else if (preset) this.setSize(game.rows, game.cols, game.mines);
    this.dispatchEvent(new CustomEvent("preset", { detail: preset }));
  }

  /** Show the level of a game that was not started from this form. */
  reflect({ rows, cols, mines, no_guess }) {
    this.noGuess.checked = no_guess;
    this.chooseNoGuess();
    const same = (one) => one.rows === rows && one.cols === cols && one.mines === mines && one.name in NAMES;
    const found = this.offer.levels.find(same);
    if (found) this.chooseLevel(found.name);
    else this.setSize(rows, cols, mines);
  }

  setSize(rows, cols, mines) {
    [this.rows.value, this.cols.value, this.mines.value] = [rows, cols, mines].map(String);
    this.chooseLevel("custom");
  }

  /** The conditions that the form describes, as the server takes them. */
  get conditions() {
    const whole = (input) => (input.value === "" ? null : Number(input.value));
    const size = this.level === "custom"
      ? { rows: whole(this.rows), cols: whole(this.cols), mines: whole(this.mines) }
      : { level: this.level };
    return {
      ...size,
      start: this.begin.value,
      on_mine: this.goesOn.checked ? "continue" : "end",
      cascade: this.cascades.checked,
      given_safe: whole(this.given) ?? 0,
      no_guess: this.noGuess.checked,
      channel: this.lost.hidden ? this.clues.value : `${this.clues.value}:${this.chance.value}`,
    };
  }

  start() {
    this.dispatchEvent(new CustomEvent("start", { detail: this.conditions }));
  }
}

/** The levels that statistics are kept for, with their titles. */
export const KEPT = Object.fromEntries(Object.entries(NAMES).flatMap(
  ([name, title]) => [[name, title], [`${name}:no-guess`, `${title}, no guess`]]));

/** The level of a game under the usual rules that a person played alone; null for all others. */
export function levelOf(state, levels) {
  const { rules, rows, cols, mines } = state;
  const usual = rules.on_mine === "end" && rules.cascade && !rules.given_safe && state.channel === "exact";
  if (!usual || !state.alone || state.taken_back) return null;
  const found = levels.find((one) => one.name in NAMES && one.rows === rows && one.cols === cols && one.mines === mines);
  return found ? found.name + (state.no_guess ? ":no-guess" : "") : null;
}
