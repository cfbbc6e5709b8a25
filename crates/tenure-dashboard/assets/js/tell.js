// @ts-check
// One shard in a sentence.

import { doubtWords, failureWords, isStuck } from "./plight.js";
import { NOBODY, UNKNOWN, state } from "./state.js";
import { clock, length } from "./words.js";

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
