// @ts-check
// How a member is told from others: a colour, a letter, and from the ninth on a pattern. Its place decides, so that it
// keeps its looks for as long as it is shown; the letter is its initial, unless one before it has that.

import { el } from "./dom.js";
import { NOBODY, UNKNOWN, state } from "./state.js";

export const COLOURS = 8;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** @param {number} index */
export function letter(index) {
  if (index === NOBODY) return "!";
  if (index === UNKNOWN) return "?";
  if (givenIn !== state.picture) [given, givenIn] = [[], state.picture];
  while (given.length < state.members.length) given.push(free(initial(state.members[given.length]), given));
  if (index < given.length) return given[index];
  // Somebody of whom only a question tells: it has a letter for as long as it is asked about.
  const guests = [...given];
  while (guests.length <= index) guests.push(free("", guests));
  return guests[index];
}

/** Letters by place; whoever has one keeps it until places are given anew. @type {string[]} */
let given = [];
/** @type {unknown} */
let givenIn = null;

/** @param {import("./contract.js").Member | undefined} member */
const initial = (member) => (/^[a-z]/i.exec(member?.id ?? "")?.[0] ?? "").toUpperCase();

/** The letter that is wished for, or the first that nobody has. @param {string} wish @param {string[]} taken */
function free(wish, taken) {
  if (wish && !taken.includes(wish)) return wish;
  const round = Math.floor(taken.length / LETTERS.length);
  const spare = [...LETTERS].find((one) => !taken.includes(one));
  return spare ?? LETTERS[taken.length % LETTERS.length] + String(round);
}

export const colourOf = (/** @type {number} */ index) => index % COLOURS;
export const patternOf = (/** @type {number} */ index) => Math.floor(index / COLOURS) % 4;

/** The classes that give an element the looks of this owner. @param {number} index */
export function looks(index) {
  if (index === NOBODY) return "nobody";
  if (index === UNKNOWN) return "unknown";
  const pattern = patternOf(index);
  return `m${colourOf(index)}${pattern ? ` p${pattern}` : ""}`;
}

/** A little square with the letter. @param {number} index */
export const swatch = (index) => el("span", { class: `swatch ${looks(index)}`, "aria-hidden": "true" }, letter(index));

/** The square and the name. @param {number} index @param {string} [name] */
export const named = (index, name = state.name(index)) =>
  el("span", { class: "named" }, swatch(index), el("span", { title: name }, name));
