// @ts-check
// How well it goes: a few plots, each of which answers a question that an operator has at night.

import { ask } from "../data/api.js";
import { state } from "../data/state.js";
import { length, many, number } from "../data/words.js";
import { named } from "../draw/mark.js";
import { Plot } from "../draw/plot.js";
import { by, el, fill } from "../ui/dom.js";
import { shown, views } from "../ui/frame.js";

/** @typedef {import("../data/contract.js").Health} Health */

/** @type {Health | null} */
let health = null;
const STEPS_MAX = 180;

const plots = {
  left: new Plot({
    id: "left",
    title: "Time left at renewal",
    about: "Of a lease when it was renewed. Two thirds is well.",
  }),
  late: new Plot({
    id: "late",
    title: "Renewals that failed",
    about: "So late that one before them must have failed; or failed, by a member's own word.",
  }),
  moves: new Plot({ id: "moves", title: "Ends of tenures", about: "Planned moves, and losses of an owner." }),
  unowned: new Plot({ id: "unowned", title: "Shards without an owner", about: "The most at any one look." }),
  gaps: new Plot({
    id: "gaps",
    title: "Time without an owner",
    about: "By what had to be waited for: a lease in silence, proof of death, nothing.",
  }),
  calls: new Plot({
    id: "calls",
    title: "Store calls by outcome",
    about: "The dashboard's own calls; members meet the same store.",
  }),
};
const measured = el("div", { class: "sheet measured", hidden: true });
const renewals = el("div", { class: "sheet" });

export function startHealth() {
  fill(
    by("view-health"),
    el(
      "div",
      { class: "plots" },
      Object.values(plots).map((plot) => plot.root),
    ),
    measured,
    renewals,
  );
  views.addEventListener("shown", () => shown === "health" && load());
  state.on("picture", () => {
    health = null;
    if (shown === "health") void load();
  });
  state.on("health", (news) => {
    if (health) {
      merge(news);
      draw();
    }
  });
}

async function load() {
  health = await ask("health").catch(() => null);
  draw();
}

/** Points come again until their time is over: the later word holds. @param {Health} news */
function merge(news) {
  const old = /** @type {Health} */ (health);
  const kept = old.points.at_ms.filter((/** @type {number} */ at) => !news.points.at_ms.includes(at)).slice(-STEPS_MAX);
  const join = (
    /** @type {any[]} */ before,
    /** @type {any[]} */ after,
    /** @type {number | null} */ missing = null,
  ) => [
    ...kept.map((/** @type {number} */ at) => before?.[old.points.at_ms.indexOf(at)] ?? missing),
    ...(after ?? news.points.at_ms.map(() => missing)),
  ];
  /** @type {Record<string, any>} */
  const points = {};
  for (const name of Object.keys(news.points))
    if (name !== "store_calls") points[name] = join(old.points[name], news.points[name]);
  const outcomes = new Set([...Object.keys(old.points.store_calls), ...Object.keys(news.points.store_calls)]);
  points.store_calls = Object.fromEntries(
    [...outcomes].map((name) => [name, join(old.points.store_calls[name], news.points.store_calls[name], 0)]),
  );
  health = { ...news, points };
}

function draw() {
  if (!health || shown !== "health") return;
  const { points, step_ms: step } = health;
  const at = points.at_ms;
  drawLease(at, step, points);
  drawTrouble(at, step, points);
  drawGaps(at, step, points);
  drawCalls(at, step, points);
  drawMeasured();
  drawRenewals();
}

/** @param {(number | null)[]} values */
const last = (values) => values.findLast((value) => value !== null) ?? null;
/** @param {(number | null)[]} values */
const sum = (values) => values.reduce((/** @type {number} */ total, value) => total + (value ?? 0), 0);

/** @param {number[]} at @param {number} step @param {any} points */
function drawLease(at, step, points) {
  const least = points.left_ms_min.filter((/** @type {number | null} */ one) => one !== null);
  const ttl = state.members.filter((one) => one.lease.open).reduce((most, one) => Math.max(most, one.lease.ttl_ms), 0);
  plots.left.show(
    length(last(points.left_ms_min)),
    least.length ? `least ${length(Math.min(...least))}, of ${length(ttl)}` : "",
    {
      at,
      step,
      kind: "lines",
      words: length,
      least: ttl,
      lines: [
        { name: "least", tone: "accent", values: points.left_ms_min },
        { name: "median", tone: "muted", values: points.left_ms_p50, dash: "4 3" },
      ],
    },
  );
}

/** @param {number[]} at @param {number} step @param {any} points */
function drawTrouble(at, step, points) {
  const told = points.keepalive_failures.some((/** @type {number | null} */ one) => one !== null);
  const lines = [{ name: "late", tone: "warn", values: points.late }];
  if (told) lines.push({ name: "failed", tone: "alarm", values: points.keepalive_failures });
  plots.late.show(
    number(sum(points.late) + (told ? sum(points.keepalive_failures) : 0)),
    `of ${number(sum(points.renewals))} renewals`,
    { at, step, kind: "bars", words: number, least: 4, lines },
  );
  plots.moves.show(
    number(sum(points.moves) + sum(points.losses)),
    `${many(sum(points.moves), "planned move")}, ${number(sum(points.losses))} lost`,
    {
      at,
      step,
      kind: "bars",
      words: number,
      least: 4,
      lines: [
        { name: "planned", tone: "accent", values: points.moves },
        { name: "lost", tone: "alarm", values: points.losses },
      ],
    },
  );
  plots.unowned.show(number(health?.unowned ?? 0), `now; ${number(Math.max(0, ...points.unowned_max))} at most`, {
    at,
    step,
    kind: "bars",
    words: number,
    least: 4,
    lines: [{ name: "without an owner", tone: "alarm", values: points.unowned_max }],
  });
}

/** What a next owner can have to wait for, in words: the times of one kind say nothing about those of another. */
const KINDS = { silence: "silence", proof: "proof of death", moves: "planned" };

/** The worst stands on top. @param {number[]} at @param {number} step @param {any} points */
function drawGaps(at, step, points) {
  const { gaps } = /** @type {Health} */ (health);
  const there = [gaps.silence, gaps.proof, gaps.moves].filter(({ most }) => most.count > 0);
  const worst = there.length ? Math.max(...there.map(({ most }) => most.max_ms ?? 0)) : null;
  plots.gaps.show(length(worst), there.length ? "the longest, at most" : "none yet", {
    at,
    step,
    kind: "lines",
    words: length,
    least: 50,
    lines: [
      { name: KINDS.silence, tone: "alarm", values: points.gap_ms_silence, beside: told(gaps.silence.most) },
      { name: KINDS.proof, tone: "warn", values: points.gap_ms_proof, beside: told(gaps.proof.most) },
      { name: KINDS.moves, tone: "accent", values: points.gap_ms_moves, beside: told(gaps.moves.most) },
    ],
  });
}

/** How many, and within which time. @param {import("../data/contract.js").Gaps} gaps */
const told = ({ count, p50_ms, p99_ms, max_ms }) =>
  count ? `${number(count)} · p50 ${length(p50_ms)} · p99 ${length(p99_ms)} · max ${length(max_ms)}` : "none";

const TONES = {
  answered: "good",
  conflict: "accent",
  unavailable: "alarm",
  indeterminate: "warn",
  denied: "alarm",
  invalid: "alarm",
  incompatible: "alarm",
  dropped: "muted",
};

/** @param {number[]} at @param {number} step @param {any} points */
function drawCalls(at, step, points) {
  const lines = Object.entries(points.store_calls).map(([name, values]) => ({
    name,
    tone: TONES[/** @type {keyof typeof TONES} */ (name)] ?? "muted",
    values: /** @type {number[]} */ (values),
  }));
  const bad = lines
    .filter(({ name }) => name !== "answered" && name !== "conflict")
    .reduce((total, line) => total + sum(line.values), 0);
  plots.calls.show(
    length(last(points.store_ms_mean)),
    `mean; ${bad ? `${number(bad)} not answered` : "all answered"}`,
    { at, step, kind: "bars", words: number, least: 4, lines },
  );
}

function drawMeasured() {
  const facts = health?.measured;
  measured.hidden = !facts;
  if (!facts) return;
  fill(
    measured,
    el("h2", null, "By the word of the work itself"),
    el(
      "p",
      { class: "measured-line" },
      figure(facts.tenures, "tenures"),
      figure(facts.overlaps, "times two owners at once", facts.overlaps > 0),
      longest(facts.after_silence, "failover after silence", "failovers after silence"),
      longest(facts.after_proof, "failover after proof of death", "failovers after proof of death"),
      longest(facts.moves, "planned move", "planned moves"),
    ),
  );
}

/** @param {import("../data/contract.js").Times} times @param {string} one @param {string} more */
const longest = (times, one, more) =>
  figure(
    times.count ? length(times.longest_ms) : "–",
    times.count ? `longest of ${many(times.count, one, more)}, median ${length(times.median_ms)}` : `no ${one}`,
  );

/** @param {string | number} value @param {string} words @param {boolean} [bad] */
const figure = (value, words, bad = false) =>
  el(
    "span",
    { class: "fact" },
    el("b", { class: bad ? "alarming" : "" }, value),
    el("span", { class: "small muted" }, words),
  );

function drawRenewals() {
  const heads = ["Member", "Renewals seen", "Left at the last", "Late"].map((name, place) =>
    el("th", { scope: "col", class: place ? "number" : "" }, name),
  );
  const rows = (health?.members ?? []).map((one) =>
    el(
      "tr",
      null,
      el("td", null, named(one.index)),
      el("td", { class: "number" }, number(one.renewals)),
      el("td", { class: "number" }, length(one.left_ms)),
      el("td", { class: `number${one.late ? " alarming" : ""}` }, number(one.late)),
    ),
  );
  fill(
    renewals,
    el("h2", null, "Renewals"),
    el("table", null, el("thead", null, el("tr", null, heads)), el("tbody", null, rows)),
  );
}
