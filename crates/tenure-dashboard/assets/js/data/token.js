// @ts-check
// The token: it comes in the address behind `#token=`, which browsers never send, is taken out of the address bar at
// once, and is kept for this tab alone.

const KEPT = "tenure-token";

/** Listeners of `change`. */
export const tokenNews = new EventTarget();

/** Takes the token out of the address, if one is there; the rest of the fragment stays. */
export function takeToken() {
  const parts = location.hash.slice(1).split("&");
  const given = parts.find((part) => part.startsWith("token="));
  if (given === undefined) return;
  const rest = parts.filter((part) => part !== given).join("&");
  history.replaceState(null, "", location.pathname + location.search + (rest ? `#${rest}` : ""));
  keepToken(decodeURIComponent(given.slice("token=".length)));
}

/** @returns {string | null} */
export const token = () => sessionStorage.getItem(KEPT);

/** Keeps a token; an empty one is none. @param {string} text */
export function keepToken(text) {
  const trimmed = text.trim();
  if (trimmed) sessionStorage.setItem(KEPT, trimmed);
  else sessionStorage.removeItem(KEPT);
  tokenNews.dispatchEvent(new Event("change"));
}
