// @ts-check
// A lease as a bar that drains. The browser's compositor moves it; scripts only say from where, and how long it takes.

import { state } from "../data/state.js";
import { length } from "../data/words.js";
import { el, say } from "../ui/dom.js";

/** @typedef {import("../data/contract.js").Member} Member */

/** A bar, and words beside it if there is room. */
export class LeaseBar {
  /** @param {{words: boolean}} how */
  constructor({ words }) {
    this.level = el("span", { class: "level" });
    this.words = words ? el("span", { class: "left" }) : null;
    this.root = el("span", { class: "lease" }, el("span", { class: "vessel" }, this.level), this.words);
    this.drawn = "";
    /** @type {Member | null} */
    this.member = null;
  }

  /** @param {Member} member */
  show(member) {
    this.member = member;
    const { ttl_ms, renewed_ms, open, seq } = member.lease;
    const key = `${open} ${renewed_ms} ${ttl_ms} ${seq} ${member.incarnation}`;
    if (key !== this.drawn) this.drain();
    this.drawn = key;
    this.tick();
  }

  drain() {
    const left = this.left();
    for (const animation of this.level.getAnimations()) animation.cancel();
    if (left <= 0) {
      this.level.style.transform = "scaleX(0)";
      return;
    }
    const share = Math.min(1, left / (this.member?.lease.ttl_ms || 1));
    this.level.style.transform = "scaleX(0)";
    this.level.animate([{ transform: `scaleX(${share})` }, { transform: "scaleX(0)" }], { duration: left });
  }

  /** What is left of it, in ms. */
  left() {
    if (!this.member) return 0;
    const { ttl_ms, renewed_ms, open } = this.member.lease;
    return open ? renewed_ms + ttl_ms - state.now() : 0;
  }

  /** Words and urgency, which the compositor can't do. */
  tick() {
    if (!this.member) return;
    const { ttl_ms, open } = this.member.lease;
    const left = this.left();
    const level = !open ? "closed" : left <= 0 ? "over" : left < ttl_ms * 0.4 ? "low" : "well";
    if (this.root.dataset.level !== level) this.root.dataset.level = level;
    if (this.words) say(this.words, leaseWords(this.member, left));
  }
}

/** @param {Member} member @param {number} left */
function leaseWords(member, left) {
  if (!member.lease.open) return member.state;
  if (left <= 0) return `over for ${length(-left)}`;
  return `${(left / 1000).toFixed(1)} of ${length(member.lease.ttl_ms)}`;
}
