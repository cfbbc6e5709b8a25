// @ts-check
// What is known of the shard that is pointed at.

import { moveShard } from "./deeds.js";
import { el, fill } from "./dom.js";
import { named } from "./mark.js";
import { NOBODY, UNKNOWN, state } from "./state.js";
import { sinceWords } from "./tell.js";

export class Inspector {
  constructor() {
    this.facts = el("dl", { class: "facts" });
    this.move = el(
      "button",
      { type: "button", class: "tiny acting", onclick: () => moveShard(this.shard ?? 0) },
      "Move …",
    );
    this.root = el("div", { class: "inspector", hidden: true }, this.facts, this.move);
    /** @type {number | null} */
    this.shard = null;
    this.drawn = "";
  }

  /** @param {number} shard */
  show(shard) {
    this.shard = shard;
    this.root.hidden = false;
    this.refresh();
  }

  refresh() {
    const shard = this.shard;
    if (shard === null || shard >= state.count) return;
    const key = [
      shard,
      state.owner[shard],
      state.heir[shard],
      state.epoch[shard],
      state.why[shard],
      sinceWords(shard),
    ].join();
    if (key === this.drawn) return;
    this.drawn = key;
    fill(this.facts, this.describe(shard));
    this.move.disabled = state.owner[shard] < 0 || state.heir[shard] >= 0;
  }

  /** @param {number} shard */
  describe(shard) {
    const [owner, heir] = [state.owner[shard], state.heir[shard]];
    const doubtful = state.member(owner)?.state === "silent";
    return [
      fact("Shard", el("b", null, shard)),
      fact("Owner", ownerNamed(owner), doubtful ? el("span", { class: "alarming" }, " silent") : null),
      heir >= 0 ? fact("Heir", named(heir)) : null,
      fact("Epoch", state.epoch[shard]),
      owner >= 0 ? fact("Since", sinceWords(shard)) : null,
      fact("Why", state.why[shard] ?? "not remembered"),
    ];
  }
}

/** @param {number} owner */
function ownerNamed(owner) {
  if (owner === NOBODY) return el("span", { class: "alarming" }, "nobody");
  if (owner === UNKNOWN) return el("span", { class: "alarming" }, "can't be read");
  return named(owner);
}

/** @param {string} name @param {...any} value */
const fact = (name, ...value) => el("div", null, el("dt", null, name), el("dd", null, ...value));
