// @ts-check
// The timeline: who owned what when, with gaps in red, and a slider that goes back in time.

import { state } from "../data/state.js";
import { history } from "../data/tenures.js";
import { byName, clock, length } from "../data/words.js";
import { AXIS, Sheet, drawMemberLane, drawShardLane, drawThen, steps } from "../draw/lanes.js";
import { letter, named } from "../draw/mark.js";
import { by, el, fill, say } from "../ui/dom.js";
import { shown, views } from "../ui/frame.js";
import { drawMoves } from "./moves.js";

const LANES_MAX = 160;
/** A young cluster fills the window; but so much is shown at least. */
const LEAST_MS = 30_000;

const choice = {
  by: "",
  span: 120_000,
  /** The moment that is looked at; null is now. @type {number | null} */
  at: null,
  moved: false,
  first: 0,
};
/** @type {Record<string, any>} */
const part = {};
/** @type {Sheet} */
let sheet;
/** @type {{y: number, height: number, shard?: number, owner?: number}[]} */
let lanes = [];
let dirty = true;

export function startTimeline() {
  build();
  sheet = new Sheet(part.canvas, 64);
  history.addEventListener("change", () => (dirty = true));
  views.addEventListener("shown", () => shown === "timeline" && open());
  state.on("picture", () => shown === "timeline" && open());
  addEventListener("resize", () => draw());
  addEventListener("theme", () => draw());
  setInterval(() => shown === "timeline" && (dirty || choice.at === null) && draw(), 200);
  setInterval(() => shown === "timeline" && tellPassages(), 1000);
}

function build() {
  part.by = select(
    "Lanes",
    [
      ["shards", "by shard"],
      ["members", "by member"],
    ],
    (value) => set({ by: value }),
  );
  part.span = select(
    "Window",
    [
      ["60000", "1 min"],
      ["120000", "2 min"],
      ["300000", "5 min"],
      ["900000", "15 min"],
    ],
    (value) => set({ span: Number(value) }),
  );
  part.span.querySelector("select").value = String(choice.span);
  part.moved = el("input", { type: "checkbox", onchange: () => set({ moved: part.moved.checked }) });
  part.first = el("input", {
    type: "number",
    min: 0,
    value: 0,
    class: "first",
    onchange: () => set({ first: Number(part.first.value) }),
  });
  part.slider = el("input", {
    type: "range",
    min: 0,
    max: 1000,
    value: 1000,
    class: "scrub",
    "aria-label": "The moment to look at",
    oninput: scrubbed,
  });
  part.now = el(
    "button",
    {
      type: "button",
      class: "tiny",
      onclick: () => {
        set({ at: null });
        part.slider.value = part.slider.max;
      },
    },
    "Now",
  );
  part.when = el("output", { class: "when" });
  part.canvas = el("canvas", {
    class: "lanes",
    role: "img",
    "aria-label": "Who owned what; the table below tells the same",
    onpointermove: pointed,
    onpointerdown: touched,
  });
  part.readout = el("p", { class: "readout small muted" });
  part.then = el("canvas", { class: "then", role: "img", "aria-label": "Owners of all shards at that moment" });
  part.holders = el("p", { class: "holders small" });
  part.moves = el("div", { class: "wide" });
  part.firstLabel = el("label", { class: "small" }, "from shard ", part.first);
  fill(
    by("view-timeline"),
    el(
      "div",
      { class: "sheet" },
      el(
        "div",
        { class: "controls" },
        part.by,
        part.span,
        el("label", { class: "check small" }, part.moved, "only shards that moved"),
        part.firstLabel,
        el("span", { class: "scrubber" }, part.slider, part.now),
      ),
      el("div", { class: "then-line" }, part.when, part.holders),
      el("div", null, part.then),
      el("div", { class: "lanes-host" }, part.canvas),
      part.readout,
    ),
    el("div", { class: "sheet" }, el("h2", null, "What moved"), part.moves),
  );
}

/** @param {string} name @param {string[][]} options @param {(value: string) => void} then */
function select(name, options, then) {
  const made = el(
    "select",
    { onchange: () => then(made.value) },
    options.map(([value, words]) => el("option", { value }, words)),
  );
  return el("label", { class: "small" }, `${name} `, made);
}

/** @param {Partial<typeof choice>} change */
function set(change) {
  Object.assign(choice, change);
  draw();
  tellPassages();
}

async function open() {
  if (!choice.by && state.count) {
    choice.by = state.count > 128 ? "members" : "shards";
    choice.moved = state.count > 128;
    part.by.querySelector("select").value = choice.by;
    part.moved.checked = choice.moved;
  }
  await history.load().catch((error) => say(part.readout, String(error.message)));
  draw();
  tellPassages();
}

/** What is looked at, and where that is in the window. */
function span() {
  const now = state.now();
  const cursor = choice.at ?? now;
  const to = choice.at === null ? now : Math.min(now, cursor + choice.span * 0.25);
  const from = Math.max(to - choice.span, Math.min(history.first, to - LEAST_MS));
  return { from, to, now, cursor, live: choice.at === null };
}

function scrubbed() {
  const [value, most] = [Number(part.slider.value), Number(part.slider.max)];
  set({ at: value >= most ? null : history.from + value });
}

function draw() {
  if (shown !== "timeline" || !history.loaded) return;
  dirty = false;
  const window = span();
  part.firstLabel.hidden = choice.by !== "shards" || state.count <= LANES_MAX;
  part.slider.max = String(Math.max(1, Math.ceil((window.now - history.from) / 1000)) * 1000);
  part.slider.step = "1000";
  if (choice.at === null) part.slider.value = part.slider.max;
  if (choice.by === "members") drawMembers(window);
  else drawShards(window);
  sheet.flags(history.deeds);
  sheet.overlay(history.blind);
  tellThen(window);
}

/** @param {any} window */
function drawShards(window) {
  const shown = shardsShown(window);
  const height = shown.length > 80 ? 9 : 13;
  sheet.label = 16 + 7 * String(state.count).length;
  sheet.begin(AXIS + Math.max(1, shown.length) * (height + 2) + 4, window);
  sheet.axis();
  lanes = shown.map((shard, place) => ({ y: AXIS + 2 + place * (height + 2), height, shard }));
  for (const lane of lanes) {
    const shard = /** @type {number} */ (lane.shard);
    sheet.name(String(shard), lane.y + height / 2);
    drawShardLane(sheet, lane.y, height, history.shards.get(shard) ?? []);
  }
  if (!shown.length) sheet.name("none", AXIS + 8);
}

/** @param {any} window */
function shardsShown(window) {
  const all = [...state.owner.keys()].slice(choice.first);
  const within = (/** @type {number | null} */ at) => at !== null && at >= window.from && at <= window.to;
  const moved = (/** @type {number} */ shard) =>
    (history.shards.get(shard) ?? []).some((one) => within(one.to) || (one.gapMax !== null && within(one.from)));
  return (choice.moved ? all.filter(moved) : all).slice(0, LANES_MAX);
}

/** @param {any} window */
function drawMembers(window) {
  /** @type {Map<number, any[]>} */
  const owners = new Map();
  /** @type {any[]} */
  const bare = [];
  for (const tenures of history.shards.values()) {
    tenures.forEach((one, place) => {
      owners.set(one.owner, [...(owners.get(one.owner) ?? []), one]);
      const next = tenures[place + 1];
      if (one.to !== null) bare.push({ from: one.to, to: next ? next.from : null });
    });
  }
  /** @type {[number, any[]][]} */
  const rows = [[-1, bare], ...[...owners].sort(byOwner)];
  const height = rows.length > 12 ? 22 : 34;
  sheet.label = 96;
  sheet.begin(AXIS + rows.length * (height + 6) + 4, window);
  sheet.axis();
  const counted = rows.map(([owner, tenures]) => ({ owner, steps: steps(tenures) }));
  const most = Math.max(1, ...counted.flatMap((one) => one.steps.map((step) => step.count)));
  lanes = counted.map(({ owner }, place) => ({ y: AXIS + 2 + place * (height + 6), height, owner }));
  counted.forEach((one, place) => {
    const y = lanes[place].y;
    sheet.name(one.owner < 0 ? "nobody" : `${letter(one.owner)} ${state.name(one.owner)}`, y + height / 2, "ink");
    drawMemberLane(sheet, y, height, one.steps, most, one.owner);
  });
}

/** Owners by name; nobody comes first. @param {[number, any]} a @param {[number, any]} b */
const byOwner = ([a], [b]) => (a < 0 || b < 0 ? a - b : byName(state.name(a), state.name(b)));

/** @param {any} window */
function tellThen(window) {
  const ago = window.now - window.cursor;
  say(part.when, window.live ? `Now, ${clock(window.cursor)}` : `At ${clock(window.cursor)}, ${length(ago)} ago`);
  const ownerAt = window.live
    ? (/** @type {number} */ shard) => state.owner[shard]
    : (/** @type {number} */ shard) => history.ownerAt(shard, window.cursor);
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (let shard = 0; shard < state.count; shard += 1) {
    const owner = ownerAt(shard);
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  const key = JSON.stringify([...counts].sort((a, b) => a[0] - b[0]));
  drawThen(part.then, ownerAt);
  if (part.holders.dataset.key === key) return;
  part.holders.dataset.key = key;
  fill(
    part.holders,
    [...counts]
      .sort(byOwner)
      .map(([owner, count]) =>
        el(
          "span",
          { class: "holder", "data-owner": state.name(owner), "data-count": count },
          named(owner),
          ` ${count}`,
        ),
      ),
  );
}

function tellPassages() {
  if (history.loaded) drawMoves(part.moves, span());
}

/** @param {PointerEvent} event */
function pointed(event) {
  const lane = lanes.find(({ y, height }) => event.offsetY >= y - 1 && event.offsetY <= y + height + 2);
  if (!lane || event.offsetX < sheet.label) return;
  const at = sheet.time(event.offsetX);
  say(part.readout, lane.shard === undefined ? `${clock(at)}` : tellLane(lane.shard, at));
}

/** A touch or a click looks at that moment. @param {PointerEvent} event */
function touched(event) {
  if (event.offsetX < sheet.label) return;
  const at = sheet.time(event.offsetX);
  if (at >= state.now()) return;
  set({ at });
  part.slider.value = String(Math.max(0, at - history.from));
}

/** @param {number} shard @param {number} at */
function tellLane(shard, at) {
  const tenures = history.shards.get(shard) ?? [];
  const one = tenures.findLast((tenure) => tenure.from <= at);
  if (!one) return `${clock(at)}: shard ${shard}: not remembered`;
  if (one.to !== null && one.to < at)
    return `${clock(at)}: shard ${shard} has no owner; ${state.name(one.owner)} ${one.end} at ${clock(one.to)}`;
  const until = one.to === null ? "until now" : `until ${clock(one.to)} (${one.end})`;
  const away = one.gapMax === null ? "" : `; before it, no owner for ${length(one.gap)} to ${length(one.gapMax)}`;
  return `${clock(at)}: shard ${shard}, ${state.name(one.owner)}, epoch ${one.epoch}, from ${clock(one.from)} ${until}; ${one.why ?? ""}${away}`;
}
