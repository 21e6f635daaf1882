// Makes figures interactive when they come into view, and switches between figure and table.
(() => {
  "use strict";
  const text = id => document.getElementById(id).textContent;
  const config = JSON.parse(text("config"));
  const NARROW = 560;

  // The library runs only when the first figure needs it.
  const load = () => {
    if (!window.vegaEmbed) {
      const script = document.createElement("script");
      script.textContent = text("library");
      document.head.append(script);
    }
    return window.vegaEmbed;
  };

  // A copy of a figure for a width of the page: fewer columns, and views that fill the rest.
  const fitted = (spec, width, margin, board) => {
    const copy = structuredClone(spec);
    const views = copy.concat || [copy.spec || copy];
    if (copy.columns && board) {
      copy.columns = Math.max(1, Math.min(copy.columns, Math.floor(width / (views[0].width + 30))));
    } else if (copy.columns && width < NARROW) copy.columns = 1;
    if (!board) {
      for (const view of views) view.width = Math.max(width / (copy.columns || 1) - margin, 100);
    }
    return copy;
  };

  const embed = async (figure, canvas) => {
    const width = canvas.clientWidth;
    const spec = JSON.parse(figure.querySelector("script").textContent);
    const options = { actions: false, renderer: "svg", config, tooltip: { offsetX: 14 } };
    const board = figure.classList.contains("board");
    const place = document.createElement("div");
    place.className = "vega";
    canvas.append(place);
    // The room that axes and labels take is known only once they are drawn.
    const first = fitted(spec, width, 60, board);
    const result = await load()(place, first, options);
    const over = Number(place.querySelector("svg").getAttribute("width")) - width;
    let view = result.view;
    if (!board && (over > 0 || over < -16)) {
      const margin = 60 + Math.ceil(over / (first.columns || 1)) + 1;
      result.finalize();
      view = (await load()(place, fitted(spec, width, margin, board), options)).view;
    }
    place.querySelector("svg").setAttribute("aria-hidden", "true");
    canvas.replaceChildren(place);
    figure.drawnWidth = width;
    figure.view = view;
    view.addEventListener("mouseover", (_, item) => {
      if (item && item.datum && item.datum.line) pick(figure, item.datum.line, false);
    });
    view.addEventListener("mouseout", () => pick(figure, pressed(figure), false));
    pick(figure, pressed(figure), false);
  };

  const pressed = figure => {
    const button = figure.querySelector(".legend [aria-pressed=true]");
    return button ? button.dataset.line : "";
  };

  const pick = (figure, line, keep) => {
    if (keep) {
      for (const button of figure.querySelectorAll(".legend button")) {
        button.setAttribute("aria-pressed", String(button.dataset.line === line));
      }
    }
    figure.dataset.picked = line;
    if (figure.view) figure.view.signal("picked", line).runAsync();
  };

  const draw = figure => {
    const canvas = figure.querySelector(".canvas");
    if (!canvas || canvas.hidden || figure.busy || figure.drawnWidth === canvas.clientWidth) return;
    figure.busy = embed(figure, canvas).finally(() => { figure.busy = undefined; });
  };

  const figures = [...document.querySelectorAll("figure.figure")];
  const watcher = new IntersectionObserver(
    entries => entries.filter(entry => entry.isIntersecting).forEach(entry => draw(entry.target)),
    { rootMargin: "200px" },
  );
  figures.forEach(figure => {
    watcher.observe(figure);
    for (const button of figure.querySelectorAll(".legend button")) {
      const line = button.dataset.line;
      button.addEventListener("click", () => pick(figure, pressed(figure) === line ? "" : line, true));
      button.addEventListener("mouseenter", () => pick(figure, line, false));
      button.addEventListener("mouseleave", () => pick(figure, pressed(figure), false));
    }
    const button = figure.querySelector(".switch");
    if (button) button.addEventListener("click", () => {
      const table = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(table));
      figure.querySelector(".data").hidden = !table;
      figure.querySelector(".canvas").hidden = table;
      const legend = figure.querySelector(".legend");
      if (legend) legend.hidden = table;
      draw(figure);
    });
  });

  let waiting;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => figures.filter(figure => figure.view).forEach(draw), 150);
  });

  // A link into folded parts opens them.
  const reveal = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    for (let part = target; part; part = part.parentElement) {
      if (part.tagName === "DETAILS") part.open = true;
    }
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  if (location.hash) reveal();
})();
