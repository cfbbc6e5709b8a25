// @ts-check
// The colours and patterns of the style sheets, for what is drawn on a canvas.

import { NOBODY, UNKNOWN } from "../data/state.js";
import { markOf } from "./mark.js";

/** @type {Map<string, CanvasPattern | string>} */
const made = new Map();
/** @type {CSSStyleDeclaration | null} */
let styles = null;

addEventListener("theme", () => {
  made.clear();
  styles = null;
});

/** A colour by its name in the style sheets. @param {string} name */
export function colour(name) {
  styles ??= getComputedStyle(document.documentElement);
  return styles.getPropertyValue(`--${name}`).trim();
}

/** What to fill an owner's shape with. @param {number} index @returns {string | CanvasPattern} */
export function ink(index) {
  const key = index < 0 ? String(index) : `${markOf(index).colour} ${markOf(index).pattern}`;
  const known = made.get(key);
  if (known) return known;
  const fresh = mix(index);
  made.set(key, fresh);
  return fresh;
}

/** What to write with on it. @param {number} index */
export const inkOn = (index) => (index >= 0 && markOf(index).colour === 4 ? "#ffffff" : "#14181c");

/** @param {number} index @returns {string | CanvasPattern} */
function mix(index) {
  if (index === NOBODY) return tile((pen) => hatch(pen, colour("alarm-other"), colour("alarm"), 3));
  if (index === UNKNOWN) return colour("sunk");
  const { colour: number, pattern } = markOf(index);
  const ground = colour(`m${number}`);
  if (pattern === 0) return ground;
  return tile((pen) => [hatch, dots, bars][pattern - 1](pen, ground, "rgb(0 0 0 / 0.3)", 1.6));
}

const SIDE = 8;

/** @param {(pen: CanvasRenderingContext2D) => void} draw */
function tile(draw) {
  const sheet = document.createElement("canvas");
  sheet.width = sheet.height = SIDE;
  const pen = /** @type {CanvasRenderingContext2D} */ (sheet.getContext("2d"));
  draw(pen);
  return /** @type {CanvasPattern} */ (pen.createPattern(sheet, "repeat"));
}

/** @param {CanvasRenderingContext2D} pen @param {string} ground @param {string} line @param {number} width */
function hatch(pen, ground, line, width) {
  pen.fillStyle = ground;
  pen.fillRect(0, 0, SIDE, SIDE);
  pen.strokeStyle = line;
  pen.lineWidth = width;
  pen.beginPath();
  for (const shift of [-SIDE, 0, SIDE]) {
    pen.moveTo(shift - 2, SIDE + 2);
    pen.lineTo(shift + SIDE + 2, -2);
  }
  pen.stroke();
}

/** @param {CanvasRenderingContext2D} pen @param {string} ground @param {string} line */
function dots(pen, ground, line) {
  pen.fillStyle = ground;
  pen.fillRect(0, 0, SIDE, SIDE);
  pen.fillStyle = line;
  for (const [x, y] of [
    [2, 2],
    [6, 6],
  ])
    pen.fillRect(x - 1, y - 1, 2, 2);
}

/** @param {CanvasRenderingContext2D} pen @param {string} ground @param {string} line @param {number} width */
function bars(pen, ground, line, width) {
  pen.fillStyle = ground;
  pen.fillRect(0, 0, SIDE, SIDE);
  pen.fillStyle = line;
  pen.fillRect(0, 2, SIDE, width);
  pen.fillRect(0, 6, SIDE, width);
}
