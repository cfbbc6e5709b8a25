// @ts-check
// What is known of one shard: the one that is held, else the one that is pointed at. Only what is held can be acted on; the pointer
// crosses others on its way to the button.

import { doubtWords, failureWords, isStuck, sinceWords, tellShard } from "../data/condition.js";
import { NOBODY, UNKNOWN, state } from "../data/state.js";
import { named } from "../draw/mark.js";
import { callBack, moveShard } from "../ui/deeds.js";
import { el, fill, say } from "../ui/dom.js";
import { selection } from "../ui/selection.js";

const HINT = "Click a shard, or press Enter on it, to hold it here.";

export class Inspector {
  constructor() {
    this.facts = el("dl", { class: "facts" });
    this.move = el("button", { type: "button", class: "tiny acting", onclick: () => this.moveHeld() }, "Move …");
    this.callBack = el(
      "button",
      { type: "button", class: "tiny acting", onclick: () => this.held !== null && callBack(this.held) },
      "Call back …",
    );
    this.letGo = el(
      "button",
      { type: "button", class: "tiny", onclick: () => selection.holdShard(null) },
      "Let go",
    );
    this.buttons = el("div", { class: "inspector-buttons" }, this.move, this.callBack, this.letGo);
    this.hint = el("p", { class: "hint small muted" });
    this.root = el("div", { class: "inspector", hidden: true }, this.facts, this.buttons, this.hint);
    /** @type {number | null} */
    this.held = null;
    /** @type {number | null} */
    this.pointed = null;
    this.drawn = "";
  }

  /** @param {number | null} shard */
  hold(shard) {
    this.held = shard;
    this.refresh();
  }

  /** What was pointed at last stays in view, unless one is held. @param {number | null} shard */
  point(shard) {
    if (shard === null && this.held === null) return;
    this.pointed = shard;
    this.refresh();
  }

  moveHeld() {
    if (this.held !== null) moveShard(this.held);
  }

  refresh() {
    const wanted = this.held ?? this.pointed;
    const shard = wanted !== null && wanted < state.count ? wanted : null;
    this.root.hidden = !state.count;
    this.offer(shard);
    const key = shard === null ? "" : this.key(shard);
    if (key === this.drawn) return;
    this.drawn = key;
    fill(this.facts, shard === null ? [] : this.describe(shard));
  }

  /** @param {number} shard */
  key(shard) {
    const { owner, heir, epoch, why } = state;
    const doubt = doubtWords(state.member(owner[shard]));
    const work = `${isStuck(shard)}${failureWords(shard)}`;
    return [shard, this.held, owner[shard], heir[shard], epoch[shard], why[shard], sinceWords(shard), doubt, work].join();
  }

  /** @param {number | null} shard */
  offer(shard) {
    const isHeld = this.held !== null;
    this.root.dataset.held = isHeld ? String(this.held) : "";
    this.buttons.hidden = !isHeld;
    const moves = shard !== null && state.heir[shard] >= 0;
    this.move.disabled = shard === null || state.owner[shard] < 0 || moves;
    this.callBack.hidden = !moves;
    const other = isHeld && this.pointed !== null && this.pointed !== this.held;
    say(this.hint, other ? tellShard(/** @type {number} */ (this.pointed)) : isHeld ? "" : HINT);
  }

  /** @param {number} shard */
  describe(shard) {
    const [owner, heir] = [state.owner[shard], state.heir[shard]];
    const doubt = doubtWords(state.member(owner));
    return [
      fact("Shard", el("b", null, shard)),
      fact("Owner", ownerNamed(owner), doubt ? el("span", { class: "alarming" }, ` ${doubt}`) : null),
      isStuck(shard) ? fact("Work", el("span", { class: "alarming" }, "does not end although it must")) : null,
      failureWords(shard) ? fact("Work", el("span", { class: "alarming" }, failureWords(shard))) : null,
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
