// @ts-check
// Finds shards on the map and puts them into groups. `/` leads here from anywhere; Enter leads to what was found.

import { askOwner } from "../data/api.js";
import { ORDERS } from "../data/groups.js";
import { sought } from "../data/search.js";
import { state } from "../data/state.js";
import { many } from "../data/words.js";
import { address } from "../ui/address.js";
import { el, say } from "../ui/dom.js";

/**
 * @typedef {object} Hearers
 * @property {() => void} changed other shards match
 * @property {() => void} regrouped shards belong together in another way
 * @property {(shard: number) => void} found one shard was asked for
 */

export class Finder {
  /** @param {Hearers} hearers */
  constructor(hearers) {
    this.hearers = hearers;
    /** @type {import("../data/search.js").Sought | null} */
    this.sought = null;
    this.line = el("input", {
      type: "search",
      name: "find",
      placeholder: "shard, member, zone, state or key",
      "aria-label": "Find shards",
      "aria-keyshortcuts": "/",
      autocomplete: "off",
      spellcheck: false,
      oninput: () => this.type(),
    });
    const options = Object.entries(ORDERS).map(([value, words]) => el("option", { value }, words));
    this.choice = el("select", { name: "group", "aria-label": "Order of shards", onchange: () => this.regroup() }, options);
    this.answer = el("output", { class: "found small muted" });
    this.root = el(
      "form",
      { class: "finder", role: "search", onsubmit: (/** @type {SubmitEvent} */ event) => this.submit(event) },
      el("label", { class: "small" }, "Find ", this.line),
      el("label", { class: "small" }, "Order ", this.choice),
      this.answer,
    );
    address.addEventListener("change", () => this.read());
    addEventListener("keydown", (event) => this.shortcut(event));
    this.take();
  }

  /** @returns {string} one of `ORDERS` */
  get order() {
    return this.choice.value;
  }

  /** @param {number} shard */
  matches(shard) {
    return this.sought?.matches?.(shard) ?? true;
  }

  take() {
    const group = address.get("group") ?? "";
    this.choice.value = Object.hasOwn(ORDERS, group) ? group : "number";
    this.line.value = address.get("find") ?? "";
  }

  /** Somebody changed the address. */
  read() {
    this.take();
    this.refresh();
    this.hearers.regrouped();
    this.hearers.changed();
  }

  type() {
    address.set("find", this.line.value);
    this.refresh();
    this.hearers.changed();
  }

  regroup() {
    address.set("group", this.order === "number" ? null : this.order);
    this.hearers.regrouped();
  }

  /** What is looked for may match other shards than before. */
  refresh() {
    const former = this.sought?.words;
    this.sought = state.count ? sought(this.line.value) : null;
    say(this.answer, this.sought ? this.found() : "");
    if (former !== this.sought?.words) this.hearers.changed();
  }

  found() {
    const { words, matches } = /** @type {import("../data/search.js").Sought} */ (this.sought);
    if (!matches) return `Enter finds the shard of ${words}`;
    return `${many(this.places().length, "shard")}: ${words}`;
  }

  places() {
    return [...state.owner.keys()].filter((shard) => this.matches(shard));
  }

  /** @param {SubmitEvent} event */
  submit(event) {
    event.preventDefault();
    if (this.sought?.key) void this.locate(this.sought.key);
    else if (this.sought) this.lead(this.places());
  }

  /** @param {number[]} places */
  lead(places) {
    if (places.length) this.hearers.found(places[0]);
  }

  /** @param {string} key */
  async locate(key) {
    try {
      const { shard, owner } = await askOwner(key);
      this.hearers.found(shard);
      say(this.answer, `The key “${key}” belongs to shard ${shard}, which ${owner ? `${owner} owns` : "nobody owns"}`);
    } catch (error) {
      say(this.answer, error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {KeyboardEvent} event */
  shortcut(event) {
    const typing = event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    dispatchEvent(new CustomEvent("show-view", { detail: "map" }));
    this.line.focus();
  }
}
