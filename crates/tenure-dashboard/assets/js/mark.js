// @ts-check
// How a member is told from others: a colour, a letter, and from the ninth on a pattern. Its place decides, so that it
// keeps its looks for as long as it is shown.

import { el } from "./dom.js";
import { NOBODY, UNKNOWN, state } from "./state.js";

export const COLOURS = 8;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** @param {number} index */
export function letter(index) {
  if (index === NOBODY) return "!";
  if (index === UNKNOWN) return "?";
  const round = Math.floor(index / LETTERS.length);
  return LETTERS[index % LETTERS.length] + (round ? String(round) : "");
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
