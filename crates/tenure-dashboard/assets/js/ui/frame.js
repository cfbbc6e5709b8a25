// @ts-check
// What is above the views: the cluster, sums, banners, tabs, the token and the theme.

import { Refusal } from "../data/api.js";
import { inDoubt } from "../data/condition.js";
import { askAgain, asked, known, mayAct, meNews, refusal, startMe } from "../data/me.js";
import { state } from "../data/state.js";
import { keepToken, token } from "../data/token.js";
import { clock, many, number } from "../data/words.js";
import { address } from "./address.js";
import { askPerson, line } from "./dialog.js";
import { by, el, fill, say } from "./dom.js";

const VIEWS = ["map", "members", "timeline", "health", "whatif"];
/** Says `shown` with the name of a view. */
export const views = new EventTarget();
export let shown = "map";

export function startFrame() {
  for (const name of VIEWS) by(`tab-${name}`).addEventListener("click", () => show(name));
  by("tab-map").parentElement.addEventListener("keydown", tabKey);
  by("theme-button").addEventListener("click", () => dispatchEvent(new Event("theme-switch")));
  addEventListener("theme", nameTheme);
  nameTheme();
  by("token-button").addEventListener("click", askForToken);
  meNews.addEventListener("change", tellToken);
  startMe();
  address.addEventListener("change", () => show(address.view));
  addEventListener("show-view", (event) => show(/** @type {CustomEvent} */ (event).detail));
  for (const name of ["picture", "cells", "members"]) state.on(name, () => tellSums());
  for (const name of ["picture", "sight", "link"]) state.on(name, () => tellBanners());
  state.on("picture", tellPlace);
  state.on("picture", askAgain);
  setInterval(tellBanners, 1000);
  setInterval(tellSums, 500);
  show(address.view);
}

/** @param {string} wanted */
export function show(wanted) {
  shown = VIEWS.includes(wanted) ? wanted : shown;
  for (const name of VIEWS) {
    const chosen = name === shown;
    const tab = by(`tab-${name}`);
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    by(`view-${name}`).hidden = !chosen;
  }
  document.body.dataset.view = shown;
  address.show(shown);
  views.dispatchEvent(new CustomEvent("shown", { detail: shown }));
}

/** @param {KeyboardEvent} event */
function tabKey(event) {
  const at = VIEWS.indexOf(shown);
  const last = VIEWS.length - 1;
  const ways = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last };
  if (!(event.key in ways)) return;
  event.preventDefault();
  show(VIEWS[ways[/** @type {keyof typeof ways} */ (event.key)]]);
  by(`tab-${shown}`).focus();
}

function nameTheme() {
  const dark = document.documentElement.dataset.theme === "dark";
  say(by("theme-button"), dark ? "Light" : "Dark");
  by("theme-button").setAttribute("aria-label", dark ? "Change to light" : "Change to dark");
}

function tellPlace() {
  const picture = state.picture;
  if (!picture) return;
  say(by("cluster"), picture.cluster);
  say(by("store"), `in ${picture.store.address}`);
  by("store").title = `${picture.store.address}; placement ${picture.placement || "not known yet"}`;
  tellToken();
}

function tellSums() {
  const unowned = state.unowned();
  const acting = state.members.filter((one) => one.state === "active").length;
  const doubtful = inDoubt();
  const idle = state.members.reduce((count, one) => count + one.failing.length + one.stuck.length, 0);
  const key = `${state.count} ${acting} ${unowned} ${doubtful} ${idle}`;
  if (by("sums").dataset.key === key) return;
  by("sums").dataset.key = key;
  fill(
    by("sums"),
    el("span", null, el("b", null, number(state.count)), " shards"),
    el("span", null, el("b", null, acting), " active"),
    unowned
      ? el("span", { class: "alarming" }, `${many(unowned, "shard")} without an owner`)
      : state.count && !doubtful
        ? el("span", null, "all owned")
        : null,
    idle ? el("span", { class: "alarming" }, `${many(idle, "shard")} to no avail`) : null,
    doubtful ? el("span", { class: "doubting" }, `${many(doubtful, "shard")} in doubt`) : null,
  );
  document.title = `${unowned ? `(${unowned} unowned) ` : ""}${state.picture?.cluster ?? "?"} · tenure`;
}

function tellBanners() {
  /** @type {({head: string, text: string, mild?: boolean} | null)[]} */
  const all = [linkBanner(), sightBanner(), ...problemBanners()];
  const banners = all.filter((one) => one !== null);
  document.body.classList.toggle("stale", !state.link.live || ["away", "broken"].includes(state.sight?.state ?? ""));
  const key = JSON.stringify(banners);
  if (by("banners").dataset.key === key) return;
  by("banners").dataset.key = key;
  fill(
    by("banners"),
    banners.map(({ head, text, mild }) =>
      el("p", { class: `banner${mild ? " mild" : ""}` }, el("b", null, head), el("span", null, text)),
    ),
  );
}

function linkBanner() {
  const { live, ever, since, refusal } = state.link;
  if (live) return null;
  if (refusal) return { head: "The dashboard shows nothing to you yet.", text: refusal };
  if (!ever) return Date.now() - since < 1500 ? null : { head: "No word from the dashboard yet.", text: "Trying." };
  return {
    head: `The dashboard does not answer since ${clock(since)}.`,
    text: "What you see is what was seen last. The page comes back by itself as soon as the dashboard does.",
  };
}

function sightBanner() {
  const sight = state.sight;
  if (!sight || !state.link.live || sight.state === "seen") return null;
  const since = clock(sight.since_ms);
  const reason = sight.reason ?? "";
  if (sight.state === "away") {
    const seen = sight.seen_ms ? ` What you see is as of ${clock(sight.seen_ms)}.` : "";
    const text = `Members go on by their leases for as long as these last.${seen} ${reason}`;
    return { head: `The store does not answer since ${since}.`, text };
  }
  if (sight.state === "broken")
    return { head: `The dashboard itself failed at ${since}.`, text: "It looks again in a moment; the cluster goes on without it." };
  if (sight.state === "absent") return { head: "There is no such cluster yet.", text: reason, mild: true };
  return { head: "Looking for the cluster.", text: reason, mild: true };
}

function problemBanners() {
  const problems = state.sight?.problems ?? [];
  return problems.slice(0, 4).map((text) => ({ head: "Needs a person:", text }));
}

function tellToken() {
  const can = state.picture?.can;
  const acting = Boolean(can?.act && mayAct());
  document.body.classList.toggle("may-act", acting);
  document.body.classList.toggle("playground", Boolean(can?.playground));
  say(by("token-button"), acting ? "Change token …" : "Read-only: give token …");
  by("token-button").title = can && !can.act ? "No tokens are set up here: start the dashboard with --token-file" : tokenWords();
}

function tokenWords() {
  const me = known();
  if (me) return me.role === "viewer" ? `${me.name} is viewer, and may only look` : `You act as ${me.name}, ${me.role}`;
  return refusal ? `The token at hand is refused: ${refusal}` : "Give a token to act";
}

function askForToken() {
  const allowed = state.picture?.can.act ?? true;
  askPerson({
    title: "A token to act with",
    says: allowed
      ? [
          "Without one this page only shows. It is kept for this tab alone, and sent with what you do, to this dashboard and to nobody else.",
          token() ? "One is at hand; an empty line forgets it." : "Its file was named when the dashboard was started.",
        ]
      : ["Nobody can act here: the dashboard was started without --token-file. A token would be kept, and refused."],
    fields: [line("token", "Token", { type: "password", minLength: 0 })],
    confirm: "Use this token",
    then: tryToken,
  });
}

/** @param {Record<string, string>} answers */
async function tryToken(answers) {
  const former = token() ?? "";
  keepToken(answers.token);
  if (!token()) return "The page is read-only.";
  try {
    const { name, role } = /** @type {import("../data/me.js").Me} */ (await asked());
    return role === "viewer" ? `You look as ${name}.` : `You act as ${name}, ${role}.`;
  } catch (error) {
    keepToken(former);
    throw error instanceof Refusal ? error : new Refusal(0, String(error));
  }
}
