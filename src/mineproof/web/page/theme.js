// Runs before the page is painted, so that it never flashes in the wrong colours.
{
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const usual = () => (dark.matches ? "dark" : "light");
  const apply = (theme) => {
    document.documentElement.dataset.theme = theme;
    document.dispatchEvent(new Event("themechange"));
  };
  let chosen = null;
  try { chosen = localStorage.getItem("theme"); } catch { /* storage may be forbidden */ }
  dark.addEventListener("change", () => apply(chosen ?? usual()));
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("#theme")) return;
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    chosen = next === usual() ? null : next;
    try {
      if (chosen) localStorage.setItem("theme", chosen);
      else localStorage.removeItem("theme");
    } catch { /* storage may be forbidden */ }
    apply(next);
  });
  apply(chosen ?? usual());
  if (matchMedia("(pointer: coarse)").matches || navigator.maxTouchPoints > 0 && innerWidth <= 900) {
    document.documentElement.dataset.touch = "yes";
  }
}
