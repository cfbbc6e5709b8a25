// @ts-check
// In which order the map shows its shards: by number, or those together that have something in common.

import { CONDITIONS, conditionOf } from "./condition.js";
import { NOBODY, UNKNOWN, state } from "./state.js";
import { byName, many } from "./words.js";

/** @typedef {{title: string, shards: number[]}} Group */

/** The ways to group, with their names. */
export const ORDERS = { number: "in order", member: "by member", zone: "by zone", state: "by state" };

/** @param {string} order @returns {Group[]} */
export function groups(order) {
  const all = [...state.owner.keys()];
  if (order === "member") return gathered(all, ownerOf, memberNames());
  if (order === "zone") return gathered(all, zoneOf, zoneNames());
  if (order === "state") return gathered(all, (shard) => CONDITIONS[conditionOf(shard)], Object.values(CONDITIONS));
  return [{ title: "", shards: all }];
}

const UNOWNED = "without an owner";
const UNREADABLE = "can't be read";
const NO_ZONE = "no zone";

/** @param {number} shard */
function ownerOf(shard) {
  const owner = state.owner[shard];
  return owner === NOBODY ? UNOWNED : owner === UNKNOWN ? UNREADABLE : state.name(owner);
}

/** @param {number} shard */
function zoneOf(shard) {
  const owner = state.owner[shard];
  return owner < 0 ? ownerOf(shard) : (state.member(owner)?.zone ?? NO_ZONE);
}

/** What needs a person comes first, then names as people sort them. */
const memberNames = () => [UNOWNED, UNREADABLE, ...state.members.map((one) => one.id).sort(byName)];
const zoneNames = () => [UNOWNED, UNREADABLE, ...state.members.map((one) => one.zone ?? NO_ZONE).sort(byName)];

/** @param {number[]} shards @param {(shard: number) => string} nameOf @param {string[]} names @returns {Group[]} */
function gathered(shards, nameOf, names) {
  /** @type {Map<string, number[]>} */
  const found = new Map(names.map((name) => [name, []]));
  for (const shard of shards) found.get(nameOf(shard))?.push(shard);
  const there = [...found].filter(([, all]) => all.length);
  return there.map(([name, all]) => ({ title: `${name} · ${many(all.length, "shard")}`, shards: all }));
}
