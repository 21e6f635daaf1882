// The board: a canvas that draws what is visible, input by mouse, touch and keyboard, and an
// accessible grid of the cells around the one in focus.

import { el } from "./dom.js";
import { Tiles, isRefuted, layer, theme } from "./paint.js";

const LARGEST = 44;
const SMALLEST = 4;
const LONG_PRESS = 380;
const NEAR = 2;

const MEANING = {
  ".": "closed", s: "closed, known safe", F: "flagged", "?": "open, no clue", "~": "open, its clue is late", "*": "exploded mine",
  m: "a mine", X: "a wrong flag",
};

export const describe = (symbol) => MEANING[symbol] ?? (symbol === "0" ? "empty" : symbol);
export const isClosed = (symbol) => symbol === "." || symbol === "s" || symbol === "F";
export const isClue = (symbol) => symbol >= "0" && symbol <= "8";

export class Board extends EventTarget {
  /**
   * Events: "press" with detail { cell, kind } where kind is main, second (flag) or chord;
   * "key" with detail { cell, key }; "hold" while a button is down.
   */
  constructor(root, { label = "Board", most = LARGEST } = {}) {
    super();
    this.root = root;
    this.most = most;
    this.rows = this.cols = 0;
    this.symbols = "";
    this.marks = new Map();
    this.pointed = null;
    this.focus = [0, 0];
    this.byKeyboard = true;
    this.zoom = null;
    this.canvas = el("canvas", { "aria-hidden": "true" });
    this.spacer = el("div", { class: "spacer" });
    this.cells = el("div", { class: "cells", role: "rowgroup" });
    root.replaceChildren(this.spacer, this.canvas, this.cells);
    root.setAttribute("role", "grid");
    root.setAttribute("aria-label", label);
    root.tabIndex = 0;
    root.addEventListener("scroll", () => this.redraw());
    root.addEventListener("focus", () => { this.describe(); this.redraw(); });
    root.addEventListener("blur", () => { this.byKeyboard = true; this.redraw(); });
    root.addEventListener("keydown", (event) => this.onKey(event));
    new ResizeObserver(() => this.layout()).observe(root.parentElement.parentElement);
    addEventListener("resize", () => this.layout());
    document.addEventListener("themechange", () => { this.tiles = null; this.redraw(); });
    this.listen();
  }

  /** Show a board: one symbol per cell in row order. */
  show(rows, cols, symbols, version = "") {
    const resized = rows !== this.rows || cols !== this.cols;
    this.symbols = symbols;
    this.version = version;
    if (resized) {
      [this.rows, this.cols, this.focus, this.zoom] = [rows, cols, [0, 0], null];
      this.root.setAttribute("aria-rowcount", String(rows));
      this.root.setAttribute("aria-colcount", String(cols));
      this.layout();
      this.root.scrollTo(0, 0);
    }
    this.describe();
    this.redraw();
  }

  /** Lay marks on cells: a map from the place of a cell to what `layer` draws. */
  mark(marks) {
    this.marks = marks;
    this.describe();
    this.redraw();
  }

  point(cell) {
    this.pointed = cell === null ? null : cell[0] * this.cols + cell[1];
    if (cell) this.reveal(cell);
    this.redraw();
  }

  symbol([row, col]) {
    return this.symbols[row * this.cols + col];
  }

  resize(factor) {
    this.zoom = Math.min(Math.max(this.side * factor, SMALLEST), 64);
    this.layout();
  }

  // ------------------------------------------------------------------------------------- layout

  get edge() {
    return this.side >= 16 ? Math.max(20, 10 + 7 * String(Math.max(this.rows, this.cols) - 1).length) : 0;
  }

  layout() {
    if (!this.rows) return;
    const stage = this.root.parentElement.parentElement;
    const wide = stage.clientWidth - 2;
    if (wide <= 0) return;
    const high = Math.max(innerHeight * (innerWidth <= 900 ? .6 : 1) - (innerWidth <= 900 ? 0 : 240), 240);
    const least = document.documentElement.dataset.touch ? 30 : 22;
    const fit = Math.min((wide - 30) / this.cols, Math.max((high - 30) / this.rows, least));
    this.side = Math.floor(this.zoom ?? Math.min(Math.max(fit, least), this.most));
    const [width, height] = [this.cols * this.side + this.edge, this.rows * this.side + this.edge];
    this.spacer.style.width = `${width}px`;
    this.spacer.style.height = `${height}px`;
    this.view = { width: Math.min(width, wide), height: Math.min(height, Math.max(high, 240)) };
    this.root.style.width = `${this.view.width}px`;
    this.root.style.height = `${this.view.height}px`;
    // A scroll bar takes room from the other direction.
    this.view.width = Math.min(this.root.clientWidth, width);
    this.view.height = Math.min(this.root.clientHeight, height);
    const ratio = devicePixelRatio || 1;
    this.canvas.width = Math.round(this.view.width * ratio);
    this.canvas.height = Math.round(this.view.height * ratio);
    this.canvas.style.width = `${this.view.width}px`;
    this.canvas.style.height = `${this.view.height}px`;
    Object.assign(this.root.dataset, { side: this.side, edge: this.edge, rows: this.rows, cols: this.cols });
    this.tiles = null;
    this.redraw();
  }

  reveal([row, col]) {
    const { root, side, edge, view } = this;
    const [x, y] = [col * side, row * side];
    if (x < root.scrollLeft) root.scrollLeft = x - side;
    if (y < root.scrollTop) root.scrollTop = y - side;
    if (x + side + edge > root.scrollLeft + view.width) root.scrollLeft = x + 2 * side + edge - view.width;
    if (y + side + edge > root.scrollTop + view.height) root.scrollTop = y + 2 * side + edge - view.height;
  }

  // ------------------------------------------------------------------------------------ drawing

  redraw() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      this.draw();
    });
  }

  draw() {
    if (!this.rows || !this.view) return;
    const ratio = this.canvas.width / this.view.width;
    const pixels = Math.round(this.side * ratio);
    if (!this.tiles || this.tiles.pixels !== pixels) this.tiles = new Tiles(this.side, ratio);
    const pen = this.canvas.getContext("2d", { alpha: false });
    const colours = theme();
    const { edge, side, root } = this;
    const [left, top] = [root.scrollLeft, root.scrollTop];
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = colours.back;
    pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
    const first = [Math.max(0, Math.floor(top / side)), Math.max(0, Math.floor(left / side))];
    const last = [
      Math.min(this.rows, Math.ceil((top + this.view.height) / side)),
      Math.min(this.cols, Math.ceil((left + this.view.width) / side)),
    ];
    const focused = document.activeElement === root && this.byKeyboard;
    const focus = focused ? this.focus[0] * this.cols + this.focus[1] : -1;
    const marked = [];
    for (let row = first[0]; row < last[0]; row++) {
      const y = Math.round((row * side - top + edge) * ratio);
      for (let col = first[1]; col < last[1]; col++) {
        const x = Math.round((col * side - left + edge) * ratio);
        const place = row * this.cols + col;
        pen.drawImage(this.tiles.get(this.symbols[place]), x, y);
        if (this.marks.has(place) || place === focus || place === this.pointed) marked.push([place, x, y]);
      }
    }
    for (const [place, x, y] of marked) {
      pen.setTransform(pixels / 34, 0, 0, pixels / 34, x, y);
      const flagged = this.symbols[place] === "F";
      layer(pen, { ...this.marks.get(place), flagged, focus: place === focus, pointed: place === this.pointed }, side);
    }
    if (edge) this.drawEdges(pen, ratio, first, last, left, top, colours);
    root.dataset.drawn = this.version;
  }

  /** Number the rows and columns, which sentences refer to; the numbers stay while scrolling. */
  drawEdges(pen, ratio, first, last, left, top, colours) {
    const { edge, side } = this;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = colours.axisBack;
    pen.fillRect(0, 0, this.view.width, edge);
    pen.fillRect(0, 0, edge, this.view.height);
    pen.fillStyle = colours.axis;
    pen.font = "500 11px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (let col = first[1]; col < last[1]; col++) {
      const x = col * side - left + edge + side / 2;
      if (x > edge + 4) pen.fillText(col, x, edge / 2);
    }
    for (let row = first[0]; row < last[0]; row++) {
      const y = row * side - top + edge + side / 2;
      if (y > edge + 4) pen.fillText(row, edge / 2, y);
    }
    pen.fillStyle = colours.axisBack;
    pen.fillRect(0, 0, edge, edge);
  }

  // -------------------------------------------------------------------------------------- input

  cellAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left - this.edge + this.root.scrollLeft;
    const y = event.clientY - box.top - this.edge + this.root.scrollTop;
    const cell = [Math.floor(y / this.side), Math.floor(x / this.side)];
    const inside = event.clientX - box.left >= this.edge && event.clientY - box.top >= this.edge;
    return inside && cell[0] < this.rows && cell[1] < this.cols ? cell : null;
  }

  send(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  listen() {
    const { canvas } = this;
    const fingers = new Map();
    let press = null;
    let before = null;
    let pinch = null;
    const end = () => {
      clearTimeout(press?.timer);
      if (press) this.send("hold", false);
      press = null;
    };
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("mousedown", (event) => {
      // Middle clicks would scroll.
      if (event.button === 1) event.preventDefault();
    });
    canvas.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (fingers.size === 2) {
        end();
        pinch = { spread: spread(fingers), side: this.side };
        return;
      }
      const cell = this.cellAt(event);
      if (!cell) return;
      this.byKeyboard = false;
      this.setFocus(cell);
      this.root.focus({ preventScroll: true });
      if (event.pointerType !== "touch" && event.button === 2) {
        this.send("press", { cell, kind: "second" });
        return;
      }
      if (event.pointerType !== "touch" && event.button === 1) {
        this.send("press", { cell, kind: "chord" });
        return;
      }
      if (event.button !== 0) return;
      press = { cell, x: event.clientX, y: event.clientY, timer: null };
      this.send("hold", true);
      if (event.pointerType === "touch") {
        press.timer = setTimeout(() => {
          const held = press;
          end();
          if (!held) return;
          navigator.vibrate?.(15);
          this.send("press", { cell: held.cell, kind: "second" });
        }, LONG_PRESS);
      }
    });
    canvas.addEventListener("pointermove", (event) => {
      if (fingers.has(event.pointerId)) fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (pinch && fingers.size === 2) {
        this.zoom = Math.min(Math.max(pinch.side * spread(fingers) / pinch.spread, SMALLEST), 64);
        this.layout();
      } else if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > 12) {
        end();
      }
    });
    const lift = (event) => {
      fingers.delete(event.pointerId);
      if (fingers.size < 2) pinch = null;
    };
    canvas.addEventListener("pointercancel", (event) => { lift(event); end(); });
    addEventListener("pointerup", (event) => { lift(event); if (event.target !== canvas) end(); });
    canvas.addEventListener("pointerup", (event) => {
      if (!press || event.button !== 0) return;
      const { cell } = press;
      end();
      const now = performance.now();
      // A double click chords only if the cell was open at the first one.
      const again = before && now - before.time < 400 && String(before.cell) === String(cell);
      const open = isClue(this.symbol(cell));
      if (again && before.open && open) {
        before = null;
        this.send("press", { cell, kind: "chord" });
        return;
      }
      before = { time: now, cell, open };
      this.send("press", { cell, kind: "main" });
    });
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.resize(event.deltaY < 0 ? 1.1 : 1 / 1.1);
    }, { passive: false });
  }

  onKey(event) {
    const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    this.byKeyboard = true;
    if (move) {
      const [row, col] = [this.focus[0] + move[0], this.focus[1] + move[1]];
      this.setFocus([Math.min(Math.max(row, 0), this.rows - 1), Math.min(Math.max(col, 0), this.cols - 1)]);
    } else if (event.key === "Home" || event.key === "End") {
      this.setFocus([this.focus[0], event.key === "Home" ? 0 : this.cols - 1]);
    } else if (event.key === " " || event.key === "Enter" || /^[a-z]$/i.test(event.key)) {
      this.send("key", { cell: this.focus, key: event.key.toLowerCase() });
    } else {
      return;
    }
    event.preventDefault();
  }

  setFocus(cell) {
    this.focus = cell;
    this.reveal(cell);
    this.describe();
    this.redraw();
  }

  // ------------------------------------------------------------------------------ accessibility

  /** Keep the cells around the one in focus in the document, for screen readers. */
  describe() {
    if (!this.rows) return;
    const [row, col] = this.focus;
    const near = (at, size) => {
      const from = Math.max(0, at - NEAR);
      return Array.from({ length: Math.min(size, at + NEAR + 1) - from }, (_, step) => from + step);
    };
    this.cells.replaceChildren(...near(row, this.rows).map((r) => el(
      "div", { role: "row", "aria-rowindex": String(r + 1) },
      ...near(col, this.cols).map((c) => el("div", {
        role: "gridcell", id: `${this.root.id}-${r}-${c}`, "aria-colindex": String(c + 1),
        "aria-label": this.labelOf(r, c), "aria-selected": String(r === row && c === col),
      })),
    )));
    this.root.setAttribute("aria-activedescendant", `${this.root.id}-${row}-${col}`);
  }

  labelOf(row, col) {
    const place = row * this.cols + col;
    const mark = this.marks.get(place);
    const more = mark?.said ?? mark?.sign ?? mark?.label;
    const symbol = this.symbols[place];
    const wrong = isRefuted({ ...mark, flagged: symbol === "F" }) ? ": the flag is wrong" : "";
    return `(${row}, ${col}) ${describe(symbol)}${more ? `, ${more}` : ""}${wrong}`;
  }
}

function spread(fingers) {
  const [[x1, y1], [x2, y2]] = [...fingers.values()];
  return Math.max(Math.hypot(x1 - x2, y1 - y2), 1);
}
