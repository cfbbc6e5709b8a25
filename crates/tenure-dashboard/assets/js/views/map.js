// @ts-check
// The map: every shard a cell in the colour of its owner, cut in two where an heir waits, hatched where it has no owner. A click or
// Enter holds one; what is done then is done to that one.

import { doubtOf, failureOf, isStuck, tellShard } from "../data/condition.js";
import { groups } from "../data/groups.js";
import { state } from "../data/state.js";
import { Canvas } from "../draw/canvas.js";
import { GRID_MAX, Grid } from "../draw/grid.js";
import { by, el, fill } from "../ui/dom.js";
import { selection } from "../ui/selection.js";
import { Finder } from "./finder.js";
import { Inspector } from "./inspector.js";

/** A map of `count` shards, with elements or as a drawing. @param {HTMLElement} host @param {import("../draw/grid.js").Scene} scene
 * @param {number} count @param {number} [at] */
export const shardMap = (host, scene, count, at) =>
  count <= GRID_MAX ? new Grid(host, scene, count, at) : new Canvas(host, scene, count, at);

/** So soon after a change the groups are made anew. */
const REGROUP_MS = 400;

/** The name of the member whose shards stand out; null if all do. @type {string | null} */
let sought = null;
/** @type {Grid | Canvas | null} */
let map = null;
let regrouping = 0;
const inspector = new Inspector();
const finder = new Finder({ changed: () => map?.touch(all()), regrouped: () => map?.regroup(), found: goTo });
/** What was doubted of each member, when it was last drawn. @type {Map<number, string>} */
const doubts = new Map();

/** @type {import("../draw/grid.js").Scene} */
const scene = {
  title: "Shards",
  groups: () => groups(finder.order),
  face: (shard) => {
    const [owner, heir] = [state.owner[shard], state.heir[shard]];
    const doubtful = Boolean(doubtOf(state.member(owner)));
    const failing = Boolean(failureOf(shard));
    return { owner, heir, doubtful, stuck: isStuck(shard), failing, dim: isDim(shard), held: shard === held() };
  },
  tell: tellShard,
  nameOf: (shard) => state.name(state.owner[shard]),
  pointed: (shard) => inspector.point(shard),
  chosen: (shard) => selection.holdShard(shard === held() ? null : shard),
  held,
};

/** @returns {number | null} */
function held() {
  return selection.shard !== null && selection.shard < state.count ? selection.shard : null;
}

/** @param {number} shard */
function isDim(shard) {
  const stands = (/** @type {number} */ index) => index >= 0 && state.name(index) === sought;
  if (sought !== null && !stands(state.owner[shard]) && !stands(state.heir[shard])) return true;
  return !finder.matches(shard);
}

/** Lets the shards of one member stand out, if it has any: one without any leaves the others as they are. @param {string | null} id */
export function seek(id) {
  const member = state.members.find((one) => one.id === id);
  const next = member && (member.shards > 0 || member.heir_of > 0) ? member.id : null;
  if (next === sought) return;
  sought = next;
  map?.touch(all());
}

export function startMap() {
  const host = el("div", { class: "map-host" });
  const key = el(
    "p",
    { class: "key small muted" },
    keyOf("m0", "owned"),
    keyOf("m0 split", "goes to an heir"),
    keyOf("m0 doubtful", "its owner is silent, or late to renew"),
    keyOf("m0 stuck", "its work does not end"),
    keyOf("m0 failing", "its work fails, and is tried again"),
    keyOf("nobody", "nobody owns it"),
    keyOf("unknown", "can't be read"),
  );
  fill(by("view-map"), el("div", { class: "sheet" }, finder.root, host, inspector.root, key));
  state.on("picture", () => begin(host));
  state.on("cells", (shards) => changed(shards));
  state.on("members", () => doubt());
  selection.addEventListener("change", () => held() !== drawnHeld && hold());
  setInterval(doubt, 250);
  setInterval(() => inspector.refresh(), 1000);
}

/** @param {string} looks @param {string} words */
function keyOf(looks, words) {
  const half = looks.includes("split") ? el("span", { class: "heir m1" }) : null;
  return el("span", { class: "key-item" }, el("span", { class: `cell ${looks}`, "aria-hidden": "true" }, half), words);
}

/** @param {HTMLElement} host */
function begin(host) {
  doubts.clear();
  if (map && map.count === state.count) {
    map.regroup();
    map.touch(all());
  } else {
    map?.dispose();
    map = state.count ? shardMap(host, scene, state.count, held() ?? 0) : null;
    if (!map) fill(host, el("p", { class: "empty" }, "Nothing to see yet."));
  }
  finder.refresh();
  hold();
}

/** @type {number | null} */
let drawnHeld = null;

/** Another shard is held, or none. */
function hold() {
  const former = drawnHeld;
  drawnHeld = held();
  map?.touch([former, drawnHeld].flatMap((shard) => (shard !== null && shard < state.count ? [shard] : [])));
  if (drawnHeld !== null) map?.enter(drawnHeld);
  inspector.hold(drawnHeld);
}

/** Holds a shard that was looked for, and shows where it is. @param {number} shard */
function goTo(shard) {
  selection.holdShard(shard);
  map?.focus(shard);
}

const all = () => state.owner.keys();

/** @param {number[]} shards */
function changed(shards) {
  map?.touch(shards, true);
  finder.refresh();
  regroupSoon();
  inspector.refresh();
}

/** Groups follow what changed, but not at every step of it. */
function regroupSoon() {
  if (finder.order === "number" || regrouping) return;
  regrouping = window.setTimeout(() => {
    regrouping = 0;
    map?.regroup();
  }, REGROUP_MS);
}

/** A member that came into doubt, or out of it, looks so in all its shards. */
function doubt() {
  const turned = state.members.filter((one) => (doubts.get(one.index) ?? "") !== mistrust(one));
  for (const one of turned) doubts.set(one.index, mistrust(one));
  const places = new Set(turned.map((one) => one.index));
  if (places.size) changedOwners(places);
  inspector.refresh();
}

/** @param {import("../data/contract.js").Member} member */
const mistrust = (member) =>
  `${doubtOf(member)}${member.stuck.join()} ${member.failing.map((one) => one.shard).join()}`;

/** @param {Set<number>} places */
function changedOwners(places) {
  map?.touch([...all()].filter((shard) => places.has(state.owner[shard])));
  finder.refresh();
  regroupSoon();
}
