// How cells look: colours of the theme, and tiles drawn once per size and then copied.

const LIGHT = {
  gap: "#aeb8c8", closed: "#cdd6e4", shine: "#dfe6f0", shade: "#b7c2d4", open: "#f8f9fb", grid: "#e2e6ee",
  ink: "#20242b", axis: "#626b79", axisBack: "#ffffff", exploded: "#ef9a94", back: "#ffffff",
  clues: ["", "#2160cc", "#22752d", "#c62f2f", "#5d34a5", "#93431f", "#0f6a6f", "#34383f", "#666b74"],
};
const DARK = {
  gap: "#0f1218", closed: "#434e63", shine: "#525e75", shade: "#364054", open: "#1f242d", grid: "#2b323e",
  ink: "#e8ebf1", axis: "#a2acbd", axisBack: "#1a1e26", exploded: "#a8342e", back: "#1a1e26",
  clues: ["", "#7fb0ff", "#79cf88", "#ff8a84", "#c3a3ff", "#f0a878", "#66d0d4", "#d5dae3", "#a9b1bf"],
};
export const SAFE = "#1c8c44";
export const MINE = "#5c1426";
export const FRAME = "#1f6feb";
export const MARK = "#d6258c";
export const CASE = "#c25a00";
const HEAT = {
  light: ["#d4edcd", "#faeca6", "#f7be76", "#e87c60", "#cc424a"],
  dark: ["#34523c", "#5f5a2c", "#825727", "#95402f", "#9c2b36"],
};

export const theme = () => (document.documentElement.dataset.theme === "dark" ? DARK : LIGHT);

const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** The colours of an uncertain number from 0 to 1: of its ground, and of what is written on it. */
export function heat(share) {
  const scale = HEAT[document.documentElement.dataset.theme];
  const along = Math.min(Math.max(share, 0), 1) * (scale.length - 1);
  const step = Math.min(Math.floor(along), scale.length - 2);
  const [low, high] = [channels(scale[step]), channels(scale[step + 1])];
  const mixed = low.map((value, at) => Math.round(value + (high[at] - value) * (along - step)));
  const light = .3 * mixed[0] + .59 * mixed[1] + .11 * mixed[2] > 140;
  return { paper: `rgb(${mixed.join(" ")})`, ink: light ? "#20242b" : "#fff" };
}

/** Draws tiles of one size; each kind is drawn once. */
export class Tiles {
  constructor(side, ratio) {
    this.side = side;
    this.ratio = ratio;
    this.colours = theme();
    this.pixels = Math.round(side * ratio);
    this.made = new Map();
  }

  get(kind) {
    let tile = this.made.get(kind);
    if (!tile) {
      tile = document.createElement("canvas");
      tile.width = tile.height = this.pixels;
      const pen = tile.getContext("2d");
      pen.scale(this.pixels / 34, this.pixels / 34);
      draw(pen, kind, this.colours, this.side);
      this.made.set(kind, tile);
    }
    return tile;
  }
}

function draw(pen, kind, colours, side) {
  const open = /^[0-8?~]$/.test(kind);
  const ground = open ? colours.open : kind === "*" ? colours.exploded : colours.closed;
  pen.fillStyle = open || kind === "*" ? colours.grid : colours.gap;
  pen.fillRect(0, 0, 34, 34);
  // Hairlines of about a pixel between the tiles, whatever their size.
  const line = Math.max(34 / side / 2, .6);
  pen.fillStyle = ground;
  if (open || kind === "*" || side < 12) {
    pen.fillRect(line, line, 34 - 2 * line, 34 - 2 * line);
  } else {
    box(pen, line, line, 34 - 2 * line, 4);
    pen.fill();
    pen.save();
    pen.clip();
    pen.fillStyle = colours.shine;
    pen.fillRect(0, 0, 34, line + 2);
    pen.fillStyle = colours.shade;
    pen.fillRect(0, 32 - line, 34, 2 + line);
    pen.restore();
  }
  if (side < 7) return;
  if (/^[1-8]$/.test(kind)) write(pen, kind, colours.clues[kind], 21, 700);
  else if (kind === "?") write(pen, "?", colours.axis, 19, 600);
  else if (kind === "~") write(pen, "…", colours.axis, 19, 600);
  else if (kind === "0") { /* an open zero is empty */ }
  else if (kind === "F") flag(pen, colours.ink);
  else if (kind === "X") { flag(pen, colours.ink); cross(pen); }
  else if (kind === "s") safe(pen, colours === LIGHT ? "#2c6e43" : "#a6d8b6", .62);
  else if (kind === "*") mine(pen, "#fff");
  else if (kind === "m") mine(pen, colours.ink);
}

function box(pen, x, y, size, radius) {
  pen.beginPath();
  pen.roundRect(x, y, size, size, radius);
}

export function write(pen, text, colour, size, weight = 600, y = 17.8) {
  pen.fillStyle = colour;
  pen.font = `${weight} ${size}px system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, 17, y);
}

export function flag(pen, colour) {
  pen.strokeStyle = colour;
  pen.lineWidth = 2.4;
  pen.lineCap = "round";
  line(pen, [[11, 26.500], [11, 8]]);
  line(pen, [[8, 26.500], [15, 26.500]]);
  pen.fillStyle = "#d32f2f";
  pen.beginPath();
  pen.moveTo(12.2, 7);
  pen.lineTo(25, 12.500);
  pen.lineTo(12.2, 18);
  pen.fill();
}

function cross(pen) {
  pen.strokeStyle = "#fff";
  pen.lineWidth = 5;
  line(pen, [[8, 8], [26, 26]]);
  line(pen, [[26, 8], [8, 26]]);
  pen.strokeStyle = "#b3261e";
  pen.lineWidth = 2.6;
  line(pen, [[8, 8], [26, 26]]);
  line(pen, [[26, 8], [8, 26]]);
}

export function mine(pen, colour) {
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = 2;
  pen.lineCap = "round";
  line(pen, [[17, 8], [17, 26]]);
  line(pen, [[8, 17], [26, 17]]);
  line(pen, [[10.600, 10.600], [23.400, 23.400]]);
  line(pen, [[23.400, 10.600], [10.600, 23.400]]);
  pen.beginPath();
  pen.arc(17, 17, 6, 0, 7);
  pen.fill();
}

export function safe(pen, colour, scale = 1) {
  pen.save();
  pen.translate(17, 17);
  pen.scale(scale, scale);
  pen.strokeStyle = colour;
  pen.lineWidth = 3.200;
  pen.lineCap = pen.lineJoin = "round";
  line(pen, [[-7, .500], [-2, 6], [7.500, -5]]);
  pen.restore();
}

function line(pen, points) {
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.stroke();
}

/** Whether a mark shows that the flag on its cell is wrong, not only in a case of a proof. */
export const isRefuted = (mark) => mark.flagged && mark.sign === "safe" && !mark.hatched;

/** What lies on a tile: a number with its colour, a sign, frames. Drawn on a square of 34. */
export function layer(pen, mark, side) {
  const colours = theme();
  if (side < 12) {
    // Too small for signs: a plain square of the colour.
    pen.fillStyle = mark.paper ?? (mark.sign === "mine" ? MINE : mark.sign === "safe" ? SAFE : "transparent");
    pen.fillRect(0, 0, 34, 34);
    mark = { ...mark, label: null, sign: null, paper: null, flagged: false, dead: false, half: false };
  }
  if (mark.paper || mark.sign) {
    const paper = mark.paper ?? (mark.sign === "mine" ? MINE : SAFE);
    pen.fillStyle = paper;
    box(pen, 1.500, 1.500, 31, 4);
    pen.fill();
    if (mark.hatched) hatch(pen);
  }
  if (mark.sign === "safe") safe(pen, "#fff");
  else if (mark.sign === "mine") mine(pen, "#fff");
  else if (mark.label) {
    const size = mark.label.length < 4 ? 12.5 : 10.5;
    write(pen, mark.label, mark.ink ?? colours.ink, size, 600, mark.flagged || mark.dead || mark.half ? 21.500 : 17.8);
  }
  if (mark.flagged && (mark.paper || mark.sign)) {
    pen.save();
    pen.scale(.5, .5);
    flag(pen, mark.sign ? "#fff" : "#20242b");
    if (isRefuted(mark)) cross(pen);
    pen.restore();
  }
  const ink = mark.ink ?? (mark.paper || mark.sign ? "#fff" : colours.ink);
  if (mark.dead) corner(pen, "×", ink);
  if (mark.half) corner(pen, "½", ink);
  if (mark.last) frame(pen, colours.ink, 1.5, 2, [3, 3]);
  if (mark.best) frame(pen, FRAME, 3, 1.500);
  if (mark.premise) frame(pen, FRAME, 3.500, 1.700);
  if (mark.clash) { frame(pen, "#d32f2f", 4, 2); }
  if (mark.goal) { frame(pen, "#fff", 5, 2.500); frame(pen, MARK, 3.500, 1.700); }
  if (mark.pointed) frame(pen, MARK, 3, 1.500, [5, 2.500]);
  if (mark.focus) { frame(pen, "#fff", 4, 2); frame(pen, FRAME, 2.500, 1.500); }
}

function hatch(pen) {
  pen.save();
  pen.clip();
  pen.strokeStyle = "rgb(255 255 255 / 35%)";
  pen.lineWidth = 2.500;
  for (let at = -34; at < 34; at += 8) line(pen, [[at, 34], [at + 34, 0]]);
  pen.restore();
}

function corner(pen, text, colour) {
  pen.fillStyle = colour;
  pen.font = "700 10px system-ui, sans-serif";
  pen.textAlign = "right";
  pen.textBaseline = "top";
  pen.fillText(text, 31, 3);
}

function frame(pen, colour, width, inset, dash = []) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  box(pen, inset, inset, 34 - 2 * inset, 4);
  pen.stroke();
  pen.setLineDash([]);
}
