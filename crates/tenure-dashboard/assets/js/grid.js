// @ts-check
// A map of up to a thousand shards: an element for each, which the eye can read, a pointer can touch and keys can walk.

import { el, say } from "./dom.js";
import { layout } from "./layout.js";
import { letter, looks } from "./mark.js";
import { walk } from "./walk.js";

/**
 * How one shard looks.
 * @typedef {object} Face
 * @property {number} owner @property {number} heir
 * @property {boolean} [doubtful] whether its owner is silent
 * @property {boolean} [dim] whether something else is looked for
 */
/**
 * @typedef {object} Scene
 * @property {string} title
 * @property {(shard: number) => Face} face
 * @property {(shard: number) => string} tell
 * @property {(shard: number) => string} nameOf
 * @property {(shard: number) => void} focused
 */

export const GRID_MAX = 1024;

export class Grid {
  /** @param {HTMLElement} host @param {Scene} scene @param {number} count */
  constructor(host, scene, count) {
    this.scene = scene;
    this.at = 0;
    this.columns = 0;
    /** @type {any[]} */
    this.cells = Array.from({ length: count }, (_, shard) => this.cell(shard));
    /** @type {string[]} */
    this.drawn = new Array(count).fill("");
    this.root = el("div", { class: "grid", role: "grid", "aria-label": scene.title });
    host.replaceChildren(this.root);
    this.root.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    this.root.addEventListener("pointerover", (/** @type {PointerEvent} */ event) => this.pointed(event));
    this.root.addEventListener("focusin", (/** @type {FocusEvent} */ event) => this.pointed(event));
    this.measure = () => this.arrange();
    this.watch = new ResizeObserver(this.measure);
    this.watch.observe(host);
    this.arrange();
    this.touch(this.cells.keys());
  }

  dispose() {
    this.watch.disconnect();
  }

  /** @param {number} shard */
  cell(shard) {
    const props = { class: "cell", role: "gridcell", "data-shard": shard, tabIndex: shard === 0 ? 0 : -1 };
    const made = el("div", props, el("span", { class: "letter" }), el("span", { class: "place" }, shard));
    return made;
  }

  /** Puts the cells into rows. Rows take no part in the layout; they are there for those who hear the page. */
  arrange() {
    const room = { width: (this.root.parentElement?.clientWidth ?? 0) - 34, height: Math.max(220, innerHeight * 0.6) };
    if (room.width <= 0) return;
    const { columns, size } = layout(this.cells.length, room, { least: 17, most: this.cells.length <= 32 ? 120 : 62 });
    this.root.style.setProperty("--columns", String(columns));
    this.root.style.setProperty("--row", `${Math.max(17, Math.min(size, 66)).toFixed(1)}px`);
    this.root.classList.toggle("dense", size < 30);
    if (columns === this.columns) return;
    this.columns = columns;
    const focus = this.root.contains(document.activeElement);
    const rows = [];
    for (let first = 0; first < this.cells.length; first += columns) {
      const head = el("span", { class: "head", role: "rowheader" }, first);
      rows.push(el("div", { class: "row", role: "row" }, head, this.cells.slice(first, first + columns)));
    }
    this.root.replaceChildren(...rows);
    if (focus) this.cells[this.at].focus();
  }

  /** Draws these shards anew. @param {Iterable<number>} shards @param {boolean} [flash] whether they changed just now */
  touch(shards, flash = false) {
    for (const shard of shards) this.draw(shard, flash);
  }

  /** @param {number} shard @param {boolean} flash */
  draw(shard, flash) {
    const { owner, heir, doubtful, dim } = this.scene.face(shard);
    const key = `${owner} ${heir} ${doubtful} ${dim} ${this.scene.nameOf(shard)}`;
    const cell = this.cells[shard];
    cell.setAttribute("aria-label", this.scene.tell(shard));
    if (key === this.drawn[shard]) return;
    this.drawn[shard] = key;
    const classes = ["cell", looks(owner)];
    if (doubtful) classes.push("doubtful");
    if (dim) classes.push("dim");
    cell.className = classes.join(" ");
    cell.dataset.owner = this.scene.nameOf(shard);
    say(cell.firstChild, letter(owner));
    cell.querySelector(".heir")?.remove();
    if (heir >= 0) cell.append(el("span", { class: `heir ${looks(heir)}` }, el("span", null, letter(heir))));
    if (flash) cell.animate([{ filter: "brightness(1.5)", scale: "1.06" }, {}], { duration: 700, easing: "ease-out" });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const next = walk(event.key, this.at, this.columns, this.cells.length);
    if (next === null) return;
    event.preventDefault();
    this.focus(next);
  }

  /** @param {number} shard */
  focus(shard) {
    this.cells[this.at].tabIndex = -1;
    this.at = shard;
    this.cells[shard].tabIndex = 0;
    this.cells[shard].focus();
  }

  /** @param {Event} event */
  pointed(event) {
    const cell = /** @type {HTMLElement} */ (event.target).closest(".cell");
    if (!(cell instanceof HTMLElement)) return;
    const shard = Number(cell.dataset.shard);
    if (event.type === "focusin" && shard !== this.at) {
      this.cells[this.at].tabIndex = -1;
      this.at = shard;
      cell.tabIndex = 0;
    }
    this.scene.focused(shard);
  }
}
