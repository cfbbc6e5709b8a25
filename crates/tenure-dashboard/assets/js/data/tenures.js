// @ts-check
// Who owned what over the last minutes: asked for once, and then told by the stream.

import { ask } from "./api.js";
import { state, wordsAt } from "./state.js";

/** @typedef {import("./contract.js").Tenure} Tenure */
/** @typedef {import("./contract.js").Tenures} Tenures */

/** By shard, each in the order of epochs. */
class History extends EventTarget {
  constructor() {
    super();
    /** @type {Map<number, Tenure[]>} */
    this.shards = new Map();
    /** @type {import("./contract.js").Turn[]} */
    this.turns = [];
    /** @type {import("./contract.js").Deed[]} */
    this.deeds = [];
    /** @type {import("./contract.js").Blind[]} */
    this.blind = [];
    this.from = Date.now();
    /** When all this was told; what came later came by the stream. */
    this.at = 0;
    /** When the first tenure of all began. */
    this.first = Infinity;
    this.loaded = false;
    /** @type {Promise<void> | null} */
    this.loading = null;
    state.on("moves", (moves) => this.loaded && this.take(moves));
    state.on("deed", (deed) => this.loaded && this.deeds.push(deed));
    state.on("sight", () => this.loaded && this.see());
    state.on("picture", () => this.loaded && this.load());
  }

  /** Asks for all that is remembered. What the stream says meanwhile is in the answer, or comes again to no harm. */
  load() {
    this.loading ??= this.ask().finally(() => (this.loading = null));
    return this.loading;
  }

  async ask() {
    const said = await ask("timeline");
    this.shards = new Map();
    this.first = Infinity;
    this.from = said.from_ms;
    this.at = said.at_ms;
    this.turns = said.turns;
    this.deeds = said.deeds;
    this.blind = said.blind;
    this.loaded = true;
    this.take(said.tenures);
  }

  /** @param {Tenures} said */
  take(said) {
    said.shard.forEach((_, place) => this.put(tenureAt(said, place)));
    this.dispatchEvent(new Event("change"));
  }

  /** @param {Tenure} tenure */
  put(tenure) {
    this.first = Math.min(this.first, tenure.from);
    const all = this.shards.get(tenure.shard) ?? [];
    const place = all.findIndex((one) => one.epoch >= tenure.epoch);
    if (place < 0) all.push(tenure);
    else all.splice(place, all[place].epoch === tenure.epoch ? 1 : 0, tenure);
    this.shards.set(tenure.shard, all);
  }

  see() {
    const last = this.blind.at(-1);
    const sight = state.sight;
    if (sight?.state === "away" && (!last || last.to_ms !== null))
      this.blind.push({ from_ms: sight.seen_ms ?? sight.since_ms, to_ms: null });
    if (sight?.state === "seen" && last && last.to_ms === null) last.to_ms = sight.since_ms;
    this.dispatchEvent(new Event("change"));
  }

  /** The tenure before one, if it is remembered. @param {Tenure} tenure */
  before({ shard, epoch }) {
    return this.shards.get(shard)?.findLast((one) => one.epoch < epoch) ?? null;
  }

  /** The owner of a shard at a time; -1 for nobody, or if it is not remembered. @param {number} shard @param {number} at */
  ownerAt(shard, at) {
    const found = this.shards.get(shard)?.findLast((one) => one.from <= at && (one.to === null || one.to > at));
    return found ? found.owner : -1;
  }
}

/** @param {Tenures} said @param {number} place @returns {Tenure} */
export const tenureAt = (said, place) => ({
  shard: said.shard[place],
  epoch: said.epoch[place],
  owner: said.owner[place],
  from: said.from_ms[place],
  to: said.to_ms[place],
  end: said.end[place],
  gap: said.gap_ms[place],
  gapMax: said.gap_max_ms[place],
  why: wordsAt(said, said.why[place]),
});

export const history = new History();
