// Starts the page and shows the view that the address names.

import { get } from "./api.js";
import { $, el } from "./dom.js";
import { Play } from "./play.js";

const views = ["play", "race", "analyse"];

async function main() {
  const offer = await get("offer");
  const play = new Play(offer, { onPreset: () => {} });
  const open = () => {
    const name = location.hash.slice(1).split(/[/=]/)[0] || "play";
    const view = views.includes(name) ? name : "play";
    for (const one of views) $(`view-${one}`).hidden = one !== view;
    for (const link of document.querySelectorAll(".top nav a")) {
      if (link.dataset.view === view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    return view;
  };
  addEventListener("hashchange", open);
  open();
  await play.begin();
}

main().catch((problem) => {
  $("status").textContent = problem.message;
});
