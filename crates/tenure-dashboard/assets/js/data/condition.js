// @ts-check
// How a shard is, and whether its owner may be doubted: an owner that does not renew looks like any other until its lease is over.

import { NOBODY, UNKNOWN, state } from "./state.js";
import { clock, length, many } from "./words.js";

/** @typedef {import("./contract.js").Member} Member */

/** A renewal is due after a third of the lease. After so much of it without one, something is wrong. */
const OVERDUE = 0.6;

/** In a playground it is known at once which processes do nothing. */
const STILL = new Set(["frozen", "killed", "failed"]);

/** How a shard can be, the worst first, in words. @type {Record<string, string>} */
export const CONDITIONS = {
  unowned: "without an owner",
  unreadable: "can't be read",
  stuck: "work does not end",
  failing: "work fails",
  doubt: "owner in doubt",
  moving: "on the way to an heir",
  owned: "owned",
};

/** @param {number} shard @returns {string} one of `CONDITIONS` */
export function conditionOf(shard) {
  const owner = state.owner[shard];
  if (owner === NOBODY) return "unowned";
  if (owner === UNKNOWN) return "unreadable";
  if (isStuck(shard)) return "stuck";
  if (failureOf(shard)) return "failing";
  if (doubtOf(state.member(owner))) return "doubt";
  return state.heir[shard] >= 0 ? "moving" : "owned";
}

/** Whether its work does not end although it must, by its owner's word. @param {number} shard */
export const isStuck = (shard) => state.member(state.owner[shard])?.stuck.includes(shard) ?? false;

/** How its work fails, by its owner's word. @param {number} shard */
export const failureOf = (shard) =>
  state.member(state.owner[shard])?.failing.find((one) => one.shard === shard) ?? null;

/** How its work fails, in words; empty if it does not. @param {number} shard */
export function failureWords(shard) {
  const failure = failureOf(shard);
  if (!failure) return "";
  const { failures, error, retry_at_ms: at } = failure;
  const left = at === null ? 0 : Math.max(0, at - state.now());
  const stage = at === null ? "starting again" : `backing off, next try ${left ? `in ${length(left)}` : "now"}`;
  return `${stage} after ${many(failures, "failure")}; the last said: ${error}`;
}

/** Why it may be doubted that a member acts; empty if there is no reason. @param {Member | undefined} member */
export function doubtOf(member) {
  if (!member?.lease.open) return "";
  if (member.process && STILL.has(member.process)) return member.process;
  if (member.state === "silent") return "silent";
  return sinceRenewal(member) > member.lease.ttl_ms * OVERDUE ? "overdue" : "";
}

/** The same with the time. @param {Member | undefined} member */
export function doubtWords(member) {
  const doubt = doubtOf(member);
  if (!member || !doubt) return "";
  const since = `no renewal seen for ${length(sinceRenewal(member))}`;
  return doubt === "overdue" ? since : `${doubt}, ${since}`;
}

/** While nothing is seen, nothing is concluded from what is not seen. @param {Member} member */
function sinceRenewal({ lease }) {
  const sees = state.link.live && state.sight?.state === "seen";
  return (sees ? state.now() : (state.sight?.seen_ms ?? 0)) - lease.renewed_ms;
}

/** How many shards have an owner that is in doubt. */
export const inDoubt = () =>
  state.members.reduce((count, member) => count + (doubtOf(member) ? member.shards : 0), 0);

/** @param {number} shard */
export function tellShard(shard) {
  const [owner, heir] = [state.owner[shard], state.heir[shard]];
  const parts = [`shard ${shard}: ${ownerWords(owner)}`];
  if (owner >= 0) parts.push(`epoch ${state.epoch[shard]}`);
  const since = state.since[shard];
  if (owner >= 0 && since) parts.push(`since ${clock(since)}`);
  if (heir >= 0) parts.push(`${state.name(heir)} takes it next`);
  const doubt = doubtWords(state.member(owner));
  if (doubt) parts.push(doubt);
  if (isStuck(shard)) parts.push("its work does not end");
  if (failureWords(shard)) parts.push(`its work fails: ${failureWords(shard)}`);
  if (state.why[shard]) parts.push(String(state.why[shard]));
  return parts.join(", ");
}

/** @param {number} owner */
function ownerWords(owner) {
  if (owner === NOBODY) return "nobody owns it";
  if (owner === UNKNOWN) return "its ledger page can't be read";
  return `owned by ${state.name(owner)}`;
}

/** @param {number} shard */
export function sinceWords(shard) {
  const since = state.since[shard];
  if (since === null || since === undefined) return "longer than the ledger remembers";
  return `${clock(since)}, for ${length(Math.max(0, state.now() - since))}`;
}
