// @ts-check
// What if: members that would come, go or weigh otherwise, and what would move then. Nothing is changed by asking; the answer
// comes from the function that members plan by.

import { Refusal, send } from "../data/api.js";
import { state } from "../data/state.js";
import { many, number, ranges } from "../data/words.js";
import { letter, looks, named } from "../draw/mark.js";
import { by, el, fill, say } from "../ui/dom.js";
import { shown, views } from "../ui/frame.js";
import { shardMap } from "./map.js";

/** @typedef {import("../data/contract.js").Member} Member */

/** The question. */
const wish = {
  /** @type {Set<string>} */ remove: new Set(),
  /** @type {Map<string, number>} */ weigh: new Map(),
  /** @type {{id: string, weight: number, zone: string}[]} */ add: [],
};
/** @type {{moves: {shard: number, from: string | null, to: string | null}[], holds: Record<string, {now: number, then: number}>} | null} */
let outcome = null;
/** Where each shard would go, by place. @type {Map<number, number>} */
let goes = new Map();
/** @type {any} */
let map = null;
/** @type {Record<string, any>} */
const part = {};
let asked = 0;
let timer = 0;

export function startWhatIf() {
  part.members = el("tbody");
  part.form = el(
    "form",
    { class: "newcomer", onsubmit: addNewcomer },
    field("id", "Name", { required: true, maxLength: 64, pattern: "[A-Za-z0-9._\\-]+", placeholder: "dan" }),
    field("weight", "Weight", { type: "number", min: 1, max: 1000000, defaultValue: "1" }),
    field("zone", "Zone", { maxLength: 64 }),
    el("button", { type: "submit" }, "Add a member"),
  );
  part.sum = el("p", { class: "outcome", role: "status" });
  part.map = el("div", { class: "map-host" });
  part.list = el("div", { class: "wide" });
  part.reset = el("button", { type: "button", class: "tiny", onclick: reset }, "Undo all changes");
  const heads = ["Member", "Weight", "Stays", "Shards"].map((name) => el("th", { scope: "col" }, name));
  fill(
    by("view-whatif"),
    el(
      "div",
      { class: "sheet" },
      el(
        "div",
        { class: "head-line" },
        el(
          "p",
          { class: "small muted" },
          "Change weights, let members go, add some: nothing happens but on this page.",
        ),
        part.reset,
      ),
      el(
        "div",
        { class: "wide" },
        el("table", { class: "wishes" }, el("thead", null, el("tr", null, heads)), part.members),
      ),
      part.form,
    ),
    el("div", { class: "sheet" }, part.sum, part.map, part.list),
  );
  views.addEventListener("shown", () => shown === "whatif" && begin());
  state.on("picture", () => shown === "whatif" && begin());
  state.on(
    "members",
    ({ now, former }) =>
      shown === "whatif" &&
      now.some((/** @type {Member} */ one, /** @type {number} */ place) => isNews(one, former[place])) &&
      begin(),
  );
  state.on("moves", () => shown === "whatif" && askSoon());
}

/** @param {Member} is @param {Member | undefined} was */
const isNews = (is, was) => !was || is.state !== was.state || is.weight !== was.weight;

/** @param {string} name @param {string} words @param {Record<string, any>} props */
const field = (name, words, props) =>
  el("label", { class: "small" }, `${words} `, el("input", { name, autocomplete: "off", ...props }));

function begin() {
  const active = state.members.filter((one) => one.state === "active");
  for (const id of [...wish.remove, ...wish.weigh.keys()]) if (!active.some((one) => one.id === id)) forget(id);
  wish.add = wish.add.filter(({ id }) => !active.some((one) => one.id === id));
  fill(part.members, active.map(memberRow), wish.add.map(newcomerRow));
  askSoon(0);
}

/** @param {string} id */
function forget(id) {
  wish.remove.delete(id);
  wish.weigh.delete(id);
}

/** @param {Member} member */
function memberRow({ id, index, weight }) {
  const weighs = el("input", {
    type: "number",
    min: 1,
    max: 1000000,
    value: wish.weigh.get(id) ?? weight,
    "aria-label": `Weight of ${id}`,
    disabled: wish.remove.has(id),
  });
  weighs.addEventListener("input", () => {
    const value = Number(weighs.value);
    if (value >= 1 && value !== weight) wish.weigh.set(id, Math.round(value));
    else wish.weigh.delete(id);
    askSoon();
  });
  const stays = el("input", { type: "checkbox", checked: !wish.remove.has(id), "aria-label": `${id} stays` });
  stays.addEventListener("change", () => {
    if (stays.checked) wish.remove.delete(id);
    else wish.remove.add(id);
    weighs.disabled = !stays.checked;
    askSoon();
  });
  return el(
    "tr",
    { "data-member": id },
    el("td", null, named(index)),
    el("td", null, weighs),
    el("td", null, stays),
    el("td", { class: "holds", "data-id": id }),
  );
}

/** @param {{id: string, weight: number, zone: string}} one @param {number} place */
function newcomerRow(one, place) {
  const remove = el(
    "button",
    {
      type: "button",
      class: "tiny",
      onclick: () => {
        wish.add.splice(place, 1);
        begin();
      },
    },
    "Remove",
  );
  return el(
    "tr",
    { "data-member": one.id },
    el(
      "td",
      null,
      named(placeOf(one.id), one.id),
      one.zone ? el("span", { class: "small muted" }, ` ${one.zone}`) : null,
    ),
    el("td", null, one.weight),
    el("td", null, remove),
    el("td", { class: "holds", "data-id": one.id }),
  );
}

/** @param {SubmitEvent} event */
function addNewcomer(event) {
  event.preventDefault();
  const { id, weight, zone } = Object.fromEntries(
    [...new FormData(part.form)].map(([name, value]) => [name, String(value).trim()]),
  );
  if (!id || wish.add.some((one) => one.id === id)) return;
  wish.add.push({ id, weight: Math.max(1, Number(weight) || 1), zone });
  part.form.reset();
  begin();
}

function reset() {
  wish.remove.clear();
  wish.weigh.clear();
  wish.add = [];
  begin();
}

/** @param {number} [wait] */
function askSoon(wait = 200) {
  clearTimeout(timer);
  timer = window.setTimeout(askNow, wait);
}

async function askNow() {
  const mine = (asked += 1);
  const weigh = [...wish.weigh].filter(([id]) => !wish.remove.has(id)).map(([id, weight]) => ({ id, weight }));
  const add = wish.add.map(({ id, weight, zone }) => ({ id, weight, ...(zone ? { zone } : {}) }));
  try {
    const answer = await send("plan", { add, remove: [...wish.remove], weigh });
    if (mine === asked) show(answer);
  } catch (error) {
    if (mine === asked) refuse(error);
  }
}

/** @param {unknown} error */
function refuse(error) {
  say(part.sum, error instanceof Refusal ? error.message : String(error));
  part.sum.classList.add("alarming");
}

/** The place of a member by name; newcomers have places after all others. @param {string | null} id */
function placeOf(id) {
  if (id === null) return -1;
  const known = state.members.findIndex((one) => one.id === id);
  return known >= 0 ? known : state.members.length + wish.add.findIndex((one) => one.id === id);
}

/** @param {NonNullable<typeof outcome>} answer */
function show(answer) {
  outcome = answer;
  goes = new Map(answer.moves.map(({ shard, to }) => [shard, placeOf(to)]));
  part.sum.classList.remove("alarming");
  const changed = wish.remove.size + wish.weigh.size + wish.add.length;
  say(
    part.sum,
    answer.moves.length
      ? `${number(answer.moves.length)} of ${many(state.count, "shard")} would move.`
      : changed
        ? "Nothing would move."
        : "Without a change, nothing would move.",
  );
  for (const cell of part.members.querySelectorAll(".holds")) tellHolds(cell, answer.holds[cell.dataset.id]);
  if (map?.count !== state.count) {
    map?.dispose();
    map = state.count ? shardMap(part.map, scene, state.count) : null;
  } else {
    map.touch(state.owner.keys());
  }
  tellMoves(answer.moves);
}

/** @param {HTMLElement} cell @param {{now: number, then: number} | undefined} holds */
function tellHolds(cell, holds) {
  if (!holds) return fill(cell, "–");
  const { now, then } = holds;
  const change = then === now ? null : el("b", null, ` ${then > now ? "+" : "−"}${Math.abs(then - now)}`);
  fill(cell, `${now} → ${then}`, change);
}

const scene = {
  title: "What would move",
  groups: () => [{ title: "", shards: [...state.owner.keys()] }],
  face: (/** @type {number} */ shard) => ({
    owner: state.owner[shard],
    heir: goes.get(shard) ?? -1,
    dim: goes.size > 0 && !goes.has(shard),
  }),
  tell: (/** @type {number} */ shard) =>
    goes.has(shard)
      ? `shard ${shard} would move from ${state.name(state.owner[shard])} to ${goal(shard)}`
      : `shard ${shard} stays with ${state.name(state.owner[shard])}`,
  nameOf: (/** @type {number} */ shard) => goal(shard),
  pointed: () => {},
  chosen: null,
};

/** @param {number} shard */
function goal(shard) {
  const place = goes.get(shard);
  if (place === undefined) return state.name(state.owner[shard]);
  return state.members[place]?.id ?? wish.add[place - state.members.length]?.id ?? "nobody";
}

/** @param {{shard: number, from: string | null, to: string | null}[]} moves */
function tellMoves(moves) {
  /** @type {Map<string, {from: string | null, to: string | null, shards: number[]}>} */
  const ways = new Map();
  for (const { shard, from, to } of moves) {
    const key = JSON.stringify([from, to]);
    const way = ways.get(key) ?? { from, to, shards: [] };
    way.shards.push(shard);
    ways.set(key, way);
  }
  const rows = [...ways.values()]
    .sort((a, b) => b.shards.length - a.shards.length)
    .map(({ from, to, shards }) =>
      el(
        "tr",
        null,
        el("td", null, someone(from)),
        el("td", null, someone(to)),
        el("td", { class: "number" }, number(shards.length)),
        el("td", { class: "small" }, ranges(shards, 24)),
      ),
    );
  const heads = ["From", "To", "Shards", ""].map((name, place) =>
    el("th", { scope: "col", class: place === 2 ? "number" : "" }, name),
  );
  fill(
    part.list,
    rows.length
      ? el("table", { class: "ways" }, el("thead", null, el("tr", null, heads)), el("tbody", null, rows))
      : null,
  );
}

/** @param {string | null} id */
function someone(id) {
  const place = placeOf(id);
  return el(
    "span",
    { class: "named" },
    el("span", { class: `swatch ${looks(place)}`, "aria-hidden": "true" }, letter(place)),
    el("span", null, id ?? "nobody"),
  );
}
