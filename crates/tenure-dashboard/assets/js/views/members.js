// @ts-check
// The members: each one's lease as it drains, its shards against its fair share, what it says of itself, and what can be done.

import { known, mayFence, meNews } from "../data/me.js";
import { isPresent, state } from "../data/state.js";
import { clock, many, number } from "../data/words.js";
import { LeaseBar } from "../draw/lease.js";
import { named } from "../draw/mark.js";
import { drain, fence, undrain, writeNote } from "../ui/deeds.js";
import { by, el, fill, insertByName, say } from "../ui/dom.js";

/** @typedef {import("../data/contract.js").Member} Member */

const COLUMNS = ["Member", "State", "Lease", "Shards", "Load", "Weight", "Zone", "Version", "Note", ""];

class Row {
  /** @param {Member} member */
  constructor(member) {
    this.member = member;
    this.lease = new LeaseBar({ words: true });
    /** @type {Record<string, any>} */
    this.cells = Object.fromEntries(COLUMNS.map((name) => [name, cell(name)]));
    this.buttons = this.makeButtons();
    this.cells.Lease.append(this.lease.root);
    this.cells[""].append(...Object.values(this.buttons));
    this.cells.Member.append(named(member.index, member.id));
    this.life = el("span", { class: "life muted small" });
    this.address = el("span", { class: "life muted small", "data-what": "address" });
    this.cells.Member.append(this.life, this.address);
    this.root = el("tr", { "data-member": member.id }, Object.values(this.cells));
  }

  makeButtons() {
    const make = (
      /** @type {string} */ deed,
      /** @type {string} */ words,
      /** @type {(member: Member) => void} */ then,
      kind = "",
    ) =>
      el(
        "button",
        {
          type: "button",
          class: `tiny acting ${kind}`,
          "data-deed": deed,
          "aria-label": `${words} ${this.member.id}`,
          onclick: () => then(this.member),
        },
        `${words} …`,
      );
    return {
      drain: make("drain", "Drain", drain),
      undo: make("undo", "Undo drain", undrain),
      fence: make("fence", "Fence", fence, "grave"),
      note: make("note", "Note", writeNote),
    };
  }

  /** @param {Member} member @param {boolean} withEnded */
  show(member, withEnded) {
    this.member = member;
    this.root.hidden = !isPresent(member) && !withEnded;
    this.root.dataset.state = member.state;
    say(this.life, member.incarnation ?? "");
    say(this.address, member.address ?? "");
    fill(this.cells.State, stateWords(member));
    this.lease.show(member);
    say(this.cells.Shards, number(member.shards) + (member.heir_of ? ` +${member.heir_of}` : ""));
    this.cells.Shards.title = member.heir_of ? `${member.heir_of} more promised to it` : "";
    fill(this.cells.Load, load(member));
    say(this.cells.Weight, member.weight ? String(member.weight) : "–");
    say(this.cells.Zone, member.zone ?? "–");
    say(this.cells.Version, member.version || "–");
    fill(this.cells.Note, noteWords(member));
    this.offer(member);
  }

  /** @param {Member} member */
  offer({ drained, lease }) {
    this.buttons.drain.hidden = drained;
    this.buttons.undo.hidden = !drained;
    this.buttons.drain.disabled = !lease.open;
    this.buttons.fence.disabled = !lease.open || !mayFence();
    this.buttons.fence.title = mayFence() ? "" : `Fencing needs the role admin; you are ${known()?.role ?? "not known"}`;
  }
}

/** @param {string} name */
function cell(name) {
  const kind = ["Shards", "Weight"].includes(name) ? "number" : name === "" ? "for-deeds" : `for-${name.toLowerCase()}`;
  return el(name === "Member" ? "th" : "td", {
    class: kind,
    "data-label": name,
    scope: name === "Member" ? "row" : undefined,
  });
}

/** @param {Member} member */
function stateWords(member) {
  const { state: word, by: closer, stuck, failing, drained } = member;
  return [
    el("span", { class: `badge ${word}` }, word),
    drained && word !== "drained" ? el("span", { class: "small muted" }, " drained") : null,
    closer ? el("span", { class: "small muted" }, ` by ${closer}`) : null,
    stuck.length ? el("span", { class: "small alarming" }, ` ${many(stuck.length, "shard")} stuck`) : null,
    failing.length ? el("span", { class: "small alarming" }, ` ${many(failing.length, "shard")} failing`) : null,
  ];
}

/** Shards against the fair share: the middle of the bar is fair. @param {Member} member */
function load({ load: share }) {
  if (share === null) return "–";
  const level = el("span", { class: "level" });
  level.style.width = `${Math.min(100, share * 50)}%`;
  return [
    el("span", { class: "share", "aria-hidden": "true" }, level),
    el("span", { class: "small" }, share.toFixed(2)),
  ];
}

/** @param {Member} member */
function noteWords({ note }) {
  if (!note) return null;
  return el(
    "span",
    { class: "note", title: `${note.by}, ${clock(note.at_ms)}` },
    note.text,
    el("span", { class: "muted small" }, ` ${note.by}`),
  );
}

/** @type {Map<number, Row>} */
const rows = new Map();
let withEnded = false;

export function startMembers() {
  const body = el("tbody");
  const heads = COLUMNS.map((name) =>
    el("th", { scope: "col", class: ["Shards", "Weight"].includes(name) ? "number" : "" }, name),
  );
  const ended = el("input", {
    type: "checkbox",
    onchange: () => {
      withEnded = ended.checked;
      drawAll();
    },
  });
  const about = el(
    "p",
    { class: "small muted" },
    "A lease drains from its last renewal, and is renewed after a third of it. Load is shards over the fair share: 1 is fair.",
  );
  fill(
    by("view-members"),
    el(
      "div",
      { class: "sheet" },
      el("div", { class: "head-line" }, about, el("label", { class: "check small" }, ended, "Show members that ended")),
      el("div", { class: "wide" }, el("table", { class: "members" }, el("thead", null, el("tr", null, heads)), body)),
    ),
  );
  state.on("picture", () => {
    rows.clear();
    fill(body);
    state.members.forEach((one) => draw(body, one));
  });
  meNews.addEventListener("change", drawAll);
  state.on("members", ({ now }) => now.forEach((/** @type {Member} */ member) => draw(body, member)));
  setInterval(() => rows.forEach((row) => row.lease.tick()), 100);
}

const drawAll = () => rows.forEach((row) => row.show(row.member, withEnded));

/** @param {HTMLElement} body @param {Member} member */
function draw(body, member) {
  let row = rows.get(member.index);
  if (!row) {
    row = new Row(member);
    rows.set(member.index, row);
    insertByName(body, row.root);
  }
  row.show(member, withEnded);
}
