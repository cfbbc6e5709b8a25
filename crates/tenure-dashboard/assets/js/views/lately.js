// @ts-check
// What happened lately: sentences, the newest first. What is one happening for a person is one sentence, though the store
// showed it in several steps.

import { clock } from "../data/words.js";
import { by, el, fill } from "../ui/dom.js";

/**
 * @typedef {object} Sentence
 * @property {number} at @property {string} text what happened
 * @property {string} [because] what the protocol does, and why
 * @property {"plain" | "bad" | "good" | "deed"} [mood]
 * @property {string} [key] sentences with one key, close to each other, are one
 * @property {(former: Sentence) => Sentence} [joined] how it goes together with one before it
 */

const MOST = 60;
/** Sentences with one key within this time are one. */
const TOGETHER_MS = 2_500;

/** @type {{sentence: Sentence, item: HTMLElement}[]} */
let entries = [];
/** @type {HTMLElement} */
let list;

export function startLately() {
  list = el("ol", { class: "log", role: "log", "aria-live": "polite", "aria-relevant": "additions", tabIndex: 0 });
  const empty = el("p", { class: "muted small log-empty" }, "Nothing that is remembered has happened.");
  fill(
    by("lately"),
    el("div", { class: "sheet" }, el("h2", { id: "lately-title" }, "What happened lately"), list, empty),
  );
}

/** @param {Sentence} sentence */
export function note(sentence) {
  const former = sentence.key ? entries.find((one) => isSame(one.sentence, sentence)) : undefined;
  if (former && sentence.joined) {
    former.sentence = { ...sentence.joined(former.sentence), at: sentence.at };
    former.item.replaceWith((former.item = item(former.sentence)));
    return;
  }
  const made = item(sentence);
  list.prepend(made);
  entries.unshift({ sentence, item: made });
  for (const old of entries.splice(MOST)) old.item.remove();
}

/** Tells anew what happened until a moment; what was told of later stays. A screen reader does not read all of it out. @param {Sentence[]} past
 * @param {number} until */
export function retell(past, until) {
  const later = entries.map(({ sentence }) => sentence).filter((sentence) => sentence.at > until);
  const voice = list.getAttribute("aria-live") ?? "polite";
  list.setAttribute("aria-live", "off");
  entries = [];
  fill(list);
  for (const sentence of [...past.slice(-MOST), ...later.reverse()]) note(sentence);
  requestAnimationFrame(() => list.setAttribute("aria-live", voice));
}

/** @param {Sentence} one @param {Sentence} other */
const isSame = (one, other) => one.key === other.key && Math.abs(other.at - one.at) < TOGETHER_MS;

/** @param {Sentence} sentence */
function item({ at, text, because, mood }) {
  return el(
    "li",
    { class: mood ?? "plain" },
    el("time", { class: "muted" }, clock(at)),
    el("span", { class: "happened" }, text),
    because ? el("span", { class: "because" }, because) : null,
  );
}
