// @ts-check
// What moved, as a table: one line for shards that went the same way at about the same time. It tells in words what the lanes show.

import { history } from "../data/tenures.js";
import { clock, length, ranges } from "../data/words.js";
import { named } from "../draw/mark.js";
import { el, fill } from "../ui/dom.js";

/** Moves of one kind that are this close are one line. */
const TOGETHER_MS = 2_000;
const MOST = 40;

/**
 * @typedef {object} Passage
 * @property {number} at @property {number} from @property {number} to @property {string} end @property {number[]} shards
 * @property {number | null} gap @property {number | null} gapMax @property {string | null} why
 */

/** What moved in a window of time, the newest first. @param {{from: number, to: number}} window @returns {Passage[]} */
export function moves(window) {
  /** @type {Passage[]} */
  const found = [];
  for (const [shard, tenures] of history.shards) {
    tenures.forEach((one, place) => {
      const before = tenures[place - 1];
      if (before && one.from >= window.from && one.from <= window.to) found.push(step(shard, before, one));
      const isLast = place === tenures.length - 1;
      if (isLast && one.to !== null && one.to >= window.from && one.to <= window.to)
        found.push(loss(shard, one.to, one));
    });
  }
  found.sort((a, b) => b.at - a.at);
  return joined(found).slice(0, MOST);
}

/** @param {number} shard @param {any} before @param {any} one @returns {Passage} */
const step = (shard, before, one) => ({
  at: one.from,
  from: before.owner,
  to: one.owner,
  end: before.end ?? "moved",
  shards: [shard],
  gap: one.gap,
  gapMax: one.gapMax,
  why: one.why,
});

/** A shard without an owner since. @param {number} shard @param {number} at @param {any} one @returns {Passage} */
const loss = (shard, at, one) => ({
  at,
  from: one.owner,
  to: -1,
  end: one.end,
  shards: [shard],
  gap: null,
  gapMax: null,
  why: null,
});

/** @param {Passage[]} found */
function joined(found) {
  /** @type {Passage[]} */
  const lines = [];
  for (const one of found) {
    const same = lines.find(
      (line) => line.from === one.from && line.to === one.to && line.end === one.end && line.at - one.at < TOGETHER_MS,
    );
    if (!same) {
      lines.push({ ...one, shards: [...one.shards] });
      continue;
    }
    same.shards.push(...one.shards);
    same.gap = most(same.gap, one.gap);
    same.gapMax = most(same.gapMax, one.gapMax);
  }
  return lines;
}

/** @param {number | null} a @param {number | null} b */
const most = (a, b) => (a === null ? b : b === null ? a : Math.max(a, b));

const ENDS = {
  moved: "planned move",
  left: "left",
  died: "proven dead",
  deposed: "silent, deposed",
  lapsed: "its lease was over",
  lost: "record lost",
};

/** @param {HTMLElement} host @param {{from: number, to: number}} window */
export function drawMoves(host, window) {
  const lines = moves(window);
  const key = JSON.stringify(lines);
  if (host.dataset.key === key) return;
  host.dataset.key = key;
  if (!lines.length) {
    fill(host, el("p", { class: "muted small" }, "Nothing moved in this window."));
    return;
  }
  const heads = ["When", "Shards", "From", "To", "How", "Without an owner"].map((name) =>
    el("th", { scope: "col" }, name),
  );
  fill(
    host,
    el("table", { class: "moves" }, el("thead", null, el("tr", null, heads)), el("tbody", null, lines.map(row))),
  );
}

/** @param {Passage} line */
function row(line) {
  const away =
    line.gapMax === null
      ? line.to < 0
        ? el("span", { class: "alarming" }, "still")
        : "–"
      : `${length(line.gap)} seen, ${length(line.gapMax)} at most`;
  return el(
    "tr",
    { "data-end": line.end, "data-from": line.from, "data-shards": line.shards.length },
    el("td", { class: "muted small" }, clock(line.at)),
    el(
      "td",
      null,
      line.shards.length > 1 ? el("b", null, `${line.shards.length} `) : null,
      el("span", { class: "small" }, ranges(line.shards, 8)),
    ),
    el("td", null, named(line.from)),
    el("td", null, named(line.to)),
    el(
      "td",
      { class: "small" },
      ENDS[/** @type {keyof typeof ENDS} */ (line.end)] ?? line.end,
      line.why ? el("span", { class: "muted" }, ` · ${line.why}`) : null,
    ),
    el("td", { class: "small" }, away),
  );
}
