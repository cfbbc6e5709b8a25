// @ts-check
// How a member is told from others: a letter, a colour, a pattern. The dashboard gives them, by the rule that the terminal goes by
// too; here they only become looks.

import { NOBODY, UNKNOWN, state } from "../data/state.js";
import { el } from "../ui/dom.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const COLOURS = 8;
const PATTERNS = 4;

/** @param {number} index @returns {import("../data/contract.js").Mark} */
export const markOf = (index) => state.member(index)?.mark ?? guest(index - state.members.length);

/** Somebody of whom only a question tells: it has the first free letter. @param {number} place */
function guest(place) {
  const taken = new Set(state.members.map((one) => one.mark.letter));
  const free = [...LETTERS].filter((letter) => !taken.has(letter));
  const letter = free[place % Math.max(1, free.length)] ?? "?";
  const number = Math.max(0, LETTERS.indexOf(letter));
  return { letter, colour: number % COLOURS, pattern: Math.floor(number / COLOURS) % PATTERNS };
}

/** @param {number} index */
export function letter(index) {
  if (index === NOBODY) return "!";
  if (index === UNKNOWN) return "?";
  return markOf(index).letter;
}

/** The classes that give an element the looks of this owner. @param {number} index */
export function looks(index) {
  if (index === NOBODY) return "nobody";
  if (index === UNKNOWN) return "unknown";
  const { colour, pattern } = markOf(index);
  return `m${colour}${pattern ? ` p${pattern}` : ""}`;
}

/** A little square with the letter. @param {number} index */
export const swatch = (index) => el("span", { class: `swatch ${looks(index)}`, "aria-hidden": "true" }, letter(index));

/** The square and the name. @param {number} index @param {string} [name] */
export const named = (index, name = state.name(index)) =>
  el("span", { class: "named" }, swatch(index), el("span", { title: name }, name));
