// @ts-check
// Elements from words. Whatever members say of themselves gets into the page as text and in no other way: nothing here, and
// nothing that uses it, makes markup from strings.

import { byName } from "../data/words.js";

/** @typedef {Record<string, any>} Props */
/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element. Props that begin with `on` are listeners, `class` and `data-…`, `aria-…`, `role` are attributes, others are
 * properties.
 * @param {string} tag @param {Props | null} [props] @param {...(Child | Child[])} children
 * @returns {any}
 */
export function el(tag, props, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) set(made, name, value);
  made.append(...children.flat().filter(isThere).map(asNode));
  return made;
}

/** @param {Child} child */
const isThere = (child) => child !== null && child !== undefined && child !== false && child !== "";

/** @param {Child} child @returns {Node | string} */
const asNode = (child) => (child instanceof Node ? child : String(child));

/** @param {HTMLElement} made @param {string} name @param {any} value */
function set(made, name, value) {
  if (value === undefined || value === null || value === false) return;
  if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
  else if (name === "class") made.className = value;
  else if (name.includes("-") || name === "role" || name === "for") made.setAttribute(name, String(value));
  else /** @type {any} */ (made)[name] = value;
}

const SVG = "http://www.w3.org/2000/svg";

/** An element of a drawing. @param {string} tag @param {Record<string, string | number>} [attributes] @param {...Node} children */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** Puts these in place of whatever is in `host`. @param {Element} host @param {...(Child | Child[])} children */
export function fill(host, ...children) {
  host.replaceChildren(...children.flat().filter(isThere).map(asNode));
}

/** Sets a text only if it differs, so that nothing is read out twice. @param {Element} host @param {string} text */
export function say(host, text) {
  if (host.textContent !== text) host.textContent = text;
}

/** Puts the row of a member among those of others, by name. These stay where they are, and keep the focus. @param {HTMLElement} host
 * @param {HTMLElement} made */
export function insertByName(host, made) {
  const name = (/** @type {Element} */ row) => row.getAttribute("data-member") ?? "";
  const next = [...host.children].find((row) => byName(name(row), name(made)) > 0);
  host.insertBefore(made, next ?? null);
}

/** The element with this id. @param {string} id @returns {any} */
export const by = (id) => document.getElementById(id);
