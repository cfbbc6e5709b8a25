// @ts-check
// The members at a glance, beside every view: looks, name, shards, lease. Pointing at one lets its shards stand out.

import { by, el, fill, say } from "./dom.js";
import { LeaseBar } from "./lease.js";
import { seek } from "./map.js";
import { swatch } from "./mark.js";
import { StageButtons, startButton } from "./playground.js";
import { isPresent, state } from "./state.js";
import { many } from "./words.js";

/** @typedef {import("./contract.js").Member} Member */

class Row {
  /** @param {Member} member */
  constructor(member) {
    const index = member.index;
    this.bar = new LeaseBar({ words: false });
    this.shards = el("span", { class: "count" });
    this.state = el("span", { class: "state-word small" });
    this.stage = new StageButtons(member.id);
    this.face = el(
      "button",
      {
        type: "button",
        class: "legend-face",
        "aria-pressed": "false",
        onpointerenter: () => pinned ?? seek(index),
        onpointerleave: () => pinned ?? seek(null),
        onfocus: () => pinned ?? seek(index),
        onblur: () => pinned ?? seek(null),
        onclick: () => pin(index),
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
    say(this.shards, many(member.shards, "shard") + (member.heir_of ? ` +${member.heir_of}` : ""));
    say(this.state, stateWord(member));
    this.root.dataset.state = member.state;
    this.root.hidden = !isPresent(member) && !isRecent(member);
    this.bar.show(member);
    this.stage.show(member);
  }
}

/** In a playground those whose process ended stay, to be started again. @param {Member} member */
const isRecent = (member) => member.process !== undefined;

/** @param {Member} member */
function stateWord(member) {
  if (member.process === "frozen" || member.process === "cut")
    return `${member.process === "cut" ? "cut off" : "frozen"}`;
  return member.state === "active" ? "" : member.state;
}

/** @type {Map<number, Row>} */
const rows = new Map();
/** @type {number | null} */
let pinned = null;

export function startLegend() {
  const list = el("ul", { class: "legend" });
  const hint = el(
    "p",
    { class: "small muted explain" },
    "Real processes on one store. Do something to one, and read below what the protocol does about it.",
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
  state.on("members", ({ now }) => now.forEach((/** @type {Member} */ member) => draw(list, member)));
  setInterval(() => rows.forEach((row) => row.bar.tick()), 250);
}

/** @param {HTMLElement} list */
function begin(list) {
  rows.clear();
  fill(list);
  unpin();
  for (const member of state.members) draw(list, member);
}

/** @param {HTMLElement} list @param {Member} member */
function draw(list, member) {
  let row = rows.get(member.index);
  if (!row) {
    row = new Row(member);
    rows.set(member.index, row);
    list.append(row.root);
  }
  row.show(member);
}

/** @param {number} index */
function pin(index) {
  const again = pinned === index;
  unpin();
  if (again) return;
  pinned = index;
  rows.get(index)?.face.setAttribute("aria-pressed", "true");
  seek(index);
}

function unpin() {
  rows.forEach((row) => row.face.setAttribute("aria-pressed", "false"));
  pinned = null;
  seek(null);
}
