// @ts-check
// The map: every shard a cell in the colour of its owner, cut in two where an heir waits, hatched where nobody owns it.

import { Canvas } from "./canvas.js";
import { by, el, fill } from "./dom.js";
import { Grid, GRID_MAX } from "./grid.js";
import { Inspector } from "./inspector.js";
import { state } from "./state.js";
import { tellShard } from "./tell.js";

/** A map of `count` shards, with elements or as a drawing. @param {HTMLElement} host @param {any} scene @param {number} count */
export const shardMap = (host, scene, count) =>
  count <= GRID_MAX ? new Grid(host, scene, count) : new Canvas(host, scene, count);

/** The owner whose shards stand out; null if all do. @type {number | null} */
let soughtOwner = null;
/** @type {Grid | Canvas | null} */
let map = null;
const inspector = new Inspector();

const scene = {
  title: "Shards",
  face: (/** @type {number} */ shard) => {
    const [owner, heir] = [state.owner[shard], state.heir[shard]];
    const dim = soughtOwner !== null && owner !== soughtOwner && heir !== soughtOwner;
    return { owner, heir, doubtful: state.member(owner)?.state === "silent", dim };
  },
  tell: tellShard,
  nameOf: (/** @type {number} */ shard) => state.name(state.owner[shard]),
  focused: (/** @type {number} */ shard) => inspector.show(shard),
};

/** Lets the shards of one member stand out. @param {number | null} owner */
export function seek(owner) {
  if (owner === soughtOwner) return;
  soughtOwner = owner;
  map?.touch(all());
}

export function startMap() {
  const host = el("div", { class: "map-host" });
  const key = el(
    "p",
    { class: "key small muted" },
    keyOf("m0", "owned"),
    keyOf("m0 split", "goes to an heir"),
    keyOf("m0 doubtful", "its owner is silent"),
    keyOf("nobody", "nobody owns it"),
    keyOf("unknown", "can't be read"),
  );
  fill(by("view-map"), el("div", { class: "sheet" }, host, inspector.root, key));
  state.on("picture", () => begin(host));
  state.on("cells", (shards) => map?.touch(shards, true));
  state.on("members", ({ now, former }) => refresh(now, former));
  state.on("cells", () => inspector.refresh());
  setInterval(() => inspector.refresh(), 1000);
}

/** @param {string} looks @param {string} words */
function keyOf(looks, words) {
  const half = looks.includes("split") ? el("span", { class: "heir m1" }) : null;
  return el("span", { class: "key-item" }, el("span", { class: `cell ${looks}`, "aria-hidden": "true" }, half), words);
}

/** @param {HTMLElement} host */
function begin(host) {
  const same = map && map.scene === scene && sizeOf(map) === state.count && state.count > 0;
  if (same) {
    map?.touch(all());
  } else {
    map?.dispose();
    map = state.count ? shardMap(host, scene, state.count) : null;
    if (!map) fill(host, el("p", { class: "empty" }, "Nothing to see yet."));
  }
  if (state.count) inspector.show(Math.min(inspector.shard ?? 0, state.count - 1));
}

/** @param {Grid | Canvas} map */
const sizeOf = (map) => (map instanceof Grid ? map.cells.length : map.count);

const all = () => state.owner.keys();

/** A member that fell silent, or was heard again, looks so in all its shards. @param {any[]} now @param {any[]} former */
function refresh(now, former) {
  const changed = new Set(now.filter((one, place) => one.state !== former[place]?.state).map((one) => one.index));
  if (changed.size) map?.touch([...all()].filter((shard) => changed.has(state.owner[shard])));
  inspector.refresh();
}
