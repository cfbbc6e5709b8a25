// @ts-check
// The members at a glance, beside every view: looks, name, shards, lease. Pointing at one lets its shards stand out.

import { doubtOf } from "../data/condition.js";
import { isPresent, state } from "../data/state.js";
import { many } from "../data/words.js";
import { LeaseBar } from "../draw/lease.js";
import { swatch } from "../draw/mark.js";
import { by, el, fill, insertByName, say } from "../ui/dom.js";
import { PlaygroundButtons, startButton } from "../ui/playground.js";
import { selection } from "../ui/selection.js";
import { seek } from "./map.js";

/** @typedef {import("../data/contract.js").Member} Member */

class Row {
  /** @param {Member} member */
  constructor(member) {
    const { id, index } = member;
    this.member = member;
    this.bar = new LeaseBar({ words: false });
    this.shards = el("span", { class: "count" });
    this.state = el("span", { class: "state-word small" });
    this.stage = new PlaygroundButtons(member.id);
    this.face = el(
      "button",
      {
        type: "button",
        class: "legend-face",
        "aria-pressed": "false",
        onpointerenter: () => point(id),
        onpointerleave: () => point(null),
        onfocus: () => point(id),
        onblur: () => point(null),
        onclick: () => selection.holdMember(selection.member === id ? null : id),
      },
      swatch(index),
      el("span", { class: "who" }, member.id),
      this.state,
      this.shards,
    );
    this.root = el("li", { class: "legend-row", "data-member": member.id }, this.face, this.bar.root, this.stage.root);
  }

  /** @param {Member} member */
  show(member) {
    this.member = member;
    say(this.shards, many(member.shards, "shard") + (member.heir_of ? ` +${member.heir_of}` : ""));
    say(this.state, stateWord(member));
    this.root.dataset.state = member.state;
    this.root.hidden = !isPresent(member) && !isRecent(member) && !isHeld(member);
    this.face.setAttribute("aria-pressed", String(isHeld(member)));
    this.bar.show(member);
    this.stage.show(member);
  }

  tick() {
    this.bar.tick();
    say(this.state, stateWord(this.member));
    this.root.dataset.doubt = doubtOf(this.member);
  }
}

/** In a playground those whose process ended stay, to be started again. @param {Member} member */
const isRecent = (member) => member.process !== undefined;

/** A chosen member can be let go of, although it has ended. @param {Member} member */
const isHeld = (member) => selection.member === member.id;

/** @param {string[]} words */
const joined = (words) => words.filter(Boolean).join(", ");

/** @param {Member} member */
function stateWord(member) {
  const known = member.state === "active" ? "" : member.state;
  if (member.process === "cut") return joined(["cut off", known]);
  if (member.process === "frozen") return joined(["frozen", known]);
  return known || doubtOf(member);
}

/** @type {Map<number, Row>} */
const rows = new Map();
/** The name that is pointed at. @type {string | null} */
let pointed = null;

export function startLegend() {
  const list = el("ul", { class: "legend" });
  const hint = el(
    "p",
    { class: "small muted explain" },
    "Real processes on one store. Do something to one, and read under “What happened lately” what the protocol does about it.",
  );
  fill(
    by("legend"),
    el(
      "div",
      { class: "sheet" },
      el("div", { class: "head-line" }, el("h2", { id: "legend-title" }, "Members"), startButton()),
      hint,
      list,
    ),
  );
  state.on("picture", () => begin(list));
  state.on("members", ({ now }) => {
    now.forEach((/** @type {Member} */ member) => draw(list, member));
    highlight();
  });
  selection.addEventListener("change", () => {
    rows.forEach((row) => row.show(row.member));
    highlight();
  });
  setInterval(() => rows.forEach((row) => row.tick()), 250);
}

/** @param {HTMLElement} list */
function begin(list) {
  rows.clear();
  fill(list);
  for (const member of state.members) draw(list, member);
  highlight();
}

/** @param {HTMLElement} list @param {Member} member */
function draw(list, member) {
  let row = rows.get(member.index);
  if (!row) {
    row = new Row(member);
    rows.set(member.index, row);
    insertByName(list, row.root);
  }
  row.show(member);
}

/** @param {string | null} id */
function point(id) {
  pointed = id;
  highlight();
}

/** The shards of the chosen member stand out, else those of the one that is pointed at and still in the list: a row that goes
 * takes no leave of the pointer. */
function highlight() {
  const shown = [...rows.values()].some((row) => row.member.id === pointed && !row.root.hidden);
  seek(selection.member ?? (shown ? pointed : null));
}
