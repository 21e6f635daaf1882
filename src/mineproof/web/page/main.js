// Starts the page and shows the view that the address names.

import { get } from "./api.js";
import { Analyse } from "./analyse.js";
import { $ } from "./dom.js";
import { Play } from "./play.js";
import { Race } from "./race.js";
import { Review } from "./review.js";
import { readGame } from "./share.js";

const VIEWS = { play: "play", race: "race", analyse: "analyse", position: "analyse", review: "review", game: "review" };

async function main() {
  const offer = await get("offer");
  const made = {};
  const play = new Play(offer, {
    onPreset: (preset) => {
      if (!preset.side_by_side) return;
      race().begin(preset);
      location.hash = "#race";
    },
  });
  const race = () => (made.race ??= new Race($("view-race"), offer));
  const analyse = () => (made.analyse ??= new Analyse($("view-analyse")));
  const review = () => (made.review ??= new Review($("view-review"), {
    playAgain: async (line) => {
      location.hash = "#play";
      await play.start({ notation: line });
    },
  }));
  const open = () => {
    const name = location.hash.slice(1).split("=")[0] || "play";
    const view = VIEWS[name] ?? "play";
    for (const one of new Set(Object.values(VIEWS))) $(`view-${one}`).hidden = one !== view;
    for (const link of document.querySelectorAll(".top nav a")) {
      if (link.dataset.view === view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (name === "race") race().begin();
    else if (name === "analyse") analyse().begin();
    else if (name === "position") analyse().open(location.hash);
    else if (name === "game") review().open(readGame(location.hash));
    else play.board.layout();
  };
  addEventListener("hashchange", open);
  open();
  await play.begin();
}

main().catch((problem) => {
  $("status").textContent = problem.message;
});
