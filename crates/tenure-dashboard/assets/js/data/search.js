// @ts-check
// What somebody looks for on the map: numbers of shards, a member, a zone, how shards are; and whatever is none of these is a key.

import { CONDITIONS, conditionOf } from "./condition.js";
import { state } from "./state.js";
import { listed } from "./words.js";

/**
 * @typedef {object} Sought
 * @property {string} words what it is
 * @property {((shard: number) => boolean) | null} matches null for a key, of which the dashboard knows the shard
 * @property {string} [key]
 */

const NUMBERS = /^\d{1,9}(-\d{1,9})?([\s,]+\d{1,9}(-\d{1,9})?)*$/;

/** @param {string} text @returns {Sought | null} */
export function sought(text) {
  const said = text.trim();
  if (!said) return null;
  if (said.startsWith("key:")) return keyed(said.slice(4).trim());
  if (NUMBERS.test(said)) return numbered(said);
  return ofPlight(said.toLowerCase()) ?? ofMembers(said.toLowerCase()) ?? keyed(said);
}

/** @param {string} key @returns {Sought | null} */
const keyed = (key) => (key ? { words: `the key “${key}”`, matches: null, key } : null);

/** @param {string} said @returns {Sought} */
function numbered(said) {
  const runs = said.split(/[\s,]+/).map((run) => run.split("-").map(Number));
  return { words: said, matches: (shard) => runs.some(([from, to = from]) => shard >= from && shard <= to) };
}

/** @param {string} said @returns {Sought | null} */
function ofPlight(said) {
  const found = Object.entries(CONDITIONS).find(([name, words]) => name === said || words === said);
  return found ? { words: found[1], matches: (shard) => conditionOf(shard) === found[0] } : null;
}

/** Members of this name or zone; if there are none, those whose name or zone has it in it. @param {string} said @returns {Sought | null} */
function ofMembers(said) {
  const names = (/** @type {import("./contract.js").Member} */ one) => [one.id, one.zone ?? ""].map((name) => name.toLowerCase());
  const exact = state.members.filter((one) => names(one).includes(said));
  const found = exact.length ? exact : state.members.filter((one) => names(one).some((name) => name.includes(said)));
  if (!found.length) return null;
  const places = new Set(found.map((one) => one.index));
  return {
    words: found.length > 4 ? `${found.length} members` : listed(found.map((one) => one.id)),
    matches: (shard) => places.has(state.owner[shard]) || places.has(state.heir[shard]),
  };
}
