// Games, wins, best times and streaks per level. They stay in this browser.

import { el } from "./dom.js";

const KEY = "statistics";
const MOST_COUNTED = 50;
const NONE = { games: 0, won: 0, best: null, streak: 0, longest: 0 };

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    return { levels: { ...kept.levels }, counted: [...kept.counted] };
  } catch {
    return { levels: {}, counted: [] };
  }
}

function write(kept) {
  try { localStorage.setItem(KEY, JSON.stringify(kept)); } catch { /* storage may be forbidden */ }
}

/** Shows the statistics, and counts finished games. */
export class Statistics {
  constructor(names) {
    this.names = names;
    this.body = el("tbody");
    this.reset = el("button", { type: "button", class: "quiet", onclick: () => this.askReset(), onblur: () => this.show() });
    this.root = el("section", { class: "stack", "aria-label": "Your games" }, el("h2", {}, "Your games"),
      el("table", { class: "statistics" },
        el("thead", {}, el("tr", {}, ...["Level", "Games", "Won", "Best", "Streak"].map((name) => el("th", { scope: "col" }, name)))),
        this.body),
      el("p", { class: "note" }, "Games that you finish alone, without taking a move back. They stay in this browser."),
      el("div", { class: "row" }, this.reset));
    this.show();
  }

  /** Count a game once, if a person played it alone; return whether it was the fastest so far. */
  count(level, { id, won, seconds }) {
    const kept = read();
    if (kept.counted.includes(id)) return false;
    const before = { ...NONE, ...kept.levels[level] };
    const best = won && (before.best === null || seconds < before.best);
    const streak = won ? before.streak + 1 : 0;
    kept.levels[level] = {
      games: before.games + 1, won: before.won + won, best: best ? seconds : before.best,
      streak, longest: Math.max(before.longest, streak),
    };
    kept.counted = [...kept.counted, id].slice(-MOST_COUNTED);
    write(kept);
    this.show(level);
    return best && before.won > 0;
  }

  askReset() {
    if (this.sure) {
      write({ levels: {}, counted: read().counted });
      this.show();
    } else {
      this.sure = true;
      this.reset.textContent = "Really delete all of them?";
    }
  }

  show(current = this.current) {
    this.current = current;
    this.sure = false;
    this.reset.textContent = "Delete statistics";
    const { levels } = read();
    const played = Object.entries(this.names).filter(([name]) => levels[name]?.games);
    this.root.hidden = !played.length;
    this.body.replaceChildren(...played.map(([name, title]) => {
      const { games, won, best, streak, longest } = { ...NONE, ...levels[name] };
      return el("tr", { "aria-current": name === current ? "true" : null },
        el("th", { scope: "row" }, title), el("td", {}, String(games)), el("td", {}, `${won} (${Math.round(100 * won / games)}%)`),
        el("td", {}, best === null ? "–" : `${best.toFixed(1)} s`),
        el("td", { title: `Longest: ${longest}` }, String(streak)));
    }));
  }
}
