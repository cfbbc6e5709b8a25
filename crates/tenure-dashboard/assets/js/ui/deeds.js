// @ts-check
// What an operator can do. Each deed says what it means before it is done, and asks why: others will read it in the audit log.

import { send } from "../data/api.js";
import { state } from "../data/state.js";
import { length, many } from "../data/words.js";
import { askPerson, line, toast } from "./dialog.js";
import { el } from "./dom.js";

/** @typedef {import("../data/contract.js").Member} Member */

const why = (example = "") =>
  line("why", "Why? It is written to the audit log.", { required: true, maxLength: 500, placeholder: example });

/** @param {string} id @param {string} deed */
const path = (id, deed) => `members/${encodeURIComponent(id)}/${deed}`;

/** @param {Promise<{done: string}>} answer */
const done = async (answer) => (await answer).done;

/** @param {Member} member */
export function drain(member) {
  askPerson({
    title: `Drain ${member.id}?`,
    says: [
      `Its ${many(member.shards, "shard")} go to others, one planned move each, and it gets no more until this is undone.`,
      "The last active member keeps its shards until another one comes.",
    ],
    fields: [why("new disk")],
    confirm: `Drain ${member.id}`,
    then: (answers) => done(send(path(member.id, "drain"), answers)),
  });
}

/** @param {Member} member */
export function undrain(member) {
  askPerson({
    title: `Let ${member.id} have shards again?`,
    says: ["It gets its share back, by planned moves."],
    fields: [why("disk is in")],
    confirm: "Undo the drain",
    then: (answers) => done(send(path(member.id, "undrain"), answers)),
  });
}

/** @param {Member} member */
export function fence(member) {
  const back = el(
    "label",
    { class: "check" },
    el("input", { type: "checkbox", name: "let_return" }),
    "It may have shards again when it comes back",
  );
  askPerson({
    title: `Fence ${member.id}?`,
    says: [
      "Its next renewal fails, so it stops acting by its own clock. Nobody can stop a process from afar; where you can kill it, kill it.",
      `Nobody owns its ${many(member.shards, "shard")} until its whole lease of ${length(member.lease.ttl_ms)} has passed in silence.`,
    ],
    fields: [why("renews, but does no work"), back],
    confirm: `Fence ${member.id}`,
    grave: true,
    then: ({ why: reason, let_return }) =>
      done(send(path(member.id, "fence"), { why: reason, let_return: let_return === "on" })),
  });
}

/** @param {Member} member */
export function writeNote(member) {
  const text = el(
    "label",
    { class: "line" },
    el("span", null, "Note, for whoever looks next; empty strikes it out"),
    el("textarea", { name: "text", rows: 3, maxLength: 500, value: member.note?.text ?? "" }),
  );
  askPerson({
    title: `A note about ${member.id}`,
    says: [],
    fields: [text, why("for the night shift")],
    confirm: "Save the note",
    then: (answers) => done(send(path(member.id, "note"), answers)),
  });
}

/** @param {number} shard */
export function moveShard(shard) {
  const others = state.members.filter((one) => one.state === "active" && one.index !== state.owner[shard]);
  const choice = el(
    "label",
    { class: "line" },
    el("span", null, "To"),
    el(
      "select",
      { name: "to", required: true },
      others.map((one) => el("option", { value: one.id }, one.id)),
    ),
  );
  askPerson({
    title: `Move shard ${shard}?`,
    says: ["It is promised to its heir; its owner finishes what it is doing and hands it over."],
    fields: [choice, why("hot")],
    confirm: `Move shard ${shard}`,
    then: (answers) => done(send(`shards/${shard}/move`, answers)),
  });
}

/** @param {number} shard */
export function callBack(shard) {
  askPerson({
    title: `Take the move of shard ${shard} back?`,
    says: [
      `${state.name(state.heir[shard])} is asked to give it back, and does so unless it has begun; its owner then goes on.`,
      "Where the placement wants the shard there, the members promise it again.",
    ],
    fields: [why("not now")],
    confirm: `Keep shard ${shard} where it is`,
    then: (answers) => done(send(`shards/${shard}/cancel`, answers)),
  });
}

/** Does something to a process of the playground; no dialog, for this is for play. @param {string} path */
export async function play(path) {
  try {
    await send(`playground/${path}`, {});
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), true);
  }
}
