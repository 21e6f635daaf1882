// Small helpers to make elements.

export const $ = (id) => document.getElementById(id);

/** Make an element: el("button", { class: "primary", onclick }, "New game"). */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const use = document.createElementNS(space, "use");
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

const CELL = /\((\d+), (\d+)\)/g;

/** Turn the cells in a sentence into buttons that show where they are. */
export function linked(text, show) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(CELL)) {
    const cell = [Number(match[1]), Number(match[2])];
    const point = (on) => show(on ? cell : null);
    parts.push(text.slice(from, match.index), el("button", {
      class: "cell-ref", type: "button",
      onmouseenter: () => point(true), onmouseleave: () => point(false),
      onfocus: () => point(true), onblur: () => point(false), onclick: () => point(true),
    }, match[0]));
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)];
}

/** Make the buttons of a tab list show their panels. */
export function tabs(list) {
  const buttons = [...list.querySelectorAll("[role=tab]")];
  const choose = (chosen) => {
    for (const button of buttons) {
      const on = button === chosen;
      button.setAttribute("aria-selected", String(on));
      button.tabIndex = on ? 0 : -1;
      $(button.getAttribute("aria-controls")).hidden = !on;
    }
  };
  for (const [place, button] of buttons.entries()) {
    button.addEventListener("click", () => choose(button));
    button.addEventListener("keydown", (event) => {
      const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!move) return;
      const next = buttons[(place + move + buttons.length) % buttons.length];
      choose(next);
      next.focus();
    });
  }
  return (name) => choose($(name));
}
