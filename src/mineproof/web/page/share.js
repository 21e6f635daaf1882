// Links that hold a whole position or game; the server never sees what is in them.

import { el } from "./dom.js";

/** A link to a position: its text, with / between the rows. */
export function positionLink(text, channel = "exact") {
  const rows = encodeURIComponent(text.trim().replaceAll("\n", "/")).replaceAll("%2F", "/").replaceAll("%3F", "?");
  return `#position=${rows}${channel === "exact" ? "" : `;channel=${channel}`}`;
}

export function readPosition(hash) {
  const [rows, channel = ""] = decodeURIComponent(hash.slice("#position=".length)).split(";channel=");
  return { text: rows.replaceAll("/", "\n"), channel: channel || "exact" };
}

/** A link to a game or a board: one line of the game notation. */
export const gameLink = (line) => `#game=${line}`;
export const readGame = (hash) => hash.slice("#game=".length);

/** A button that copies a link, and shows it where copying is not allowed. */
export function copyButton(text, link) {
  const button = el("button", {
    type: "button",
    onclick: async () => {
      const address = new URL(await link(), location.href).href;
      try {
        await navigator.clipboard.writeText(address);
        button.textContent = "Link copied";
      } catch {
        const field = el("input", { type: "text", readOnly: true, value: address, "aria-label": "Link" });
        field.value = address;
        button.replaceWith(field);
        field.select();
      }
      setTimeout(() => { button.textContent = text; }, 2000);
    },
  }, text);
  return button;
}
