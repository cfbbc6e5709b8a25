// Light or dark, before anything is drawn: what was chosen here, else what the system prefers.
"use strict";
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => localStorage.getItem("tenure-theme");
  const apply = () => {
    document.documentElement.dataset.theme = chosen() ?? (system.matches ? "dark" : "light");
    dispatchEvent(new Event("theme"));
  };
  system.addEventListener("change", apply);
  addEventListener("theme-switch", () => {
    const dark = document.documentElement.dataset.theme === "dark";
    localStorage.setItem("tenure-theme", dark ? "light" : "dark");
    apply();
  });
  apply();
})();
