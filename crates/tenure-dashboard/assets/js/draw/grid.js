// @ts-check
// A map of up to a thousand shards: an element for each, which the eye can read, a pointer can touch and keys can walk.

import { el, say } from "../ui/dom.js";
import { Arrangement, layout, press } from "./arrangement.js";
import { letter, looks } from "./mark.js";

/**
 * How one shard looks.
 * @typedef {object} Face
 * @property {number} owner @property {number} heir
 * @property {boolean} [doubtful] whether it may be doubted that its owner acts
 * @property {boolean} [stuck] whether its work does not end
 * @property {boolean} [failing] whether its work fails and is tried again
 * @property {boolean} [dim] whether something else is looked for
 * @property {boolean} [held] whether it is chosen
 */
/**
 * @typedef {object} Scene
 * @property {string} title
 * @property {() => import("../data/groups.js").Group[]} groups
 * @property {(shard: number) => Face} face
 * @property {(shard: number) => string} tell
 * @property {(shard: number) => string} nameOf
 * @property {(shard: number | null) => void} pointed at by the pointer or by keys; null if by neither any more
 * @property {((shard: number | null) => void) | null} chosen by a click or a key; null if nothing can be
 * @property {() => number | null} [held] the shard that is chosen
 */

export const GRID_MAX = 1024;

export class Grid {
  /** @param {HTMLElement} host @param {Scene} scene @param {number} count @param {number} [at] */
  constructor(host, scene, count, at = 0) {
    this.scene = scene;
    this.count = count;
    this.at = at;
    this.columns = 0;
    this.arrangement = new Arrangement(scene.groups(), 1);
    /** @type {any[]} */
    this.cells = Array.from({ length: count }, (_, shard) => this.cell(shard));
    /** @type {string[]} */
    this.drawn = new Array(count).fill("");
    this.root = el("div", { class: "grid", role: "grid", "aria-label": scene.title });
    host.replaceChildren(this.root);
    this.root.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => press(this, event));
    this.root.addEventListener("pointerover", (/** @type {PointerEvent} */ event) => this.pointed(event));
    this.root.addEventListener("pointerleave", () => scene.pointed(null));
    this.root.addEventListener("focusin", (/** @type {FocusEvent} */ event) => this.pointed(event));
    this.root.addEventListener("click", (/** @type {MouseEvent} */ event) => this.clicked(event));
    this.watch = new ResizeObserver(() => this.arrange());
    this.watch.observe(host);
    this.arrange();
    this.touch(this.cells.keys());
  }

  dispose() {
    this.watch.disconnect();
  }

  /** @param {number} shard */
  cell(shard) {
    const props = { class: "cell", role: "gridcell", "data-shard": shard, tabIndex: shard === this.at ? 0 : -1 };
    return el("div", props, el("span", { class: "letter" }), el("span", { class: "place" }, shard));
  }

  /** Puts the cells into rows. Rows take no part in the layout; they are there for those who hear the page. */
  arrange() {
    const room = { width: (this.root.parentElement?.clientWidth ?? 0) - 34, height: Math.max(220, innerHeight * 0.6) };
    if (room.width <= 0) return;
    const { columns, size } = layout(this.count, room, { least: 17, most: this.count <= 32 ? 120 : 62 });
    this.root.style.setProperty("--columns", String(columns));
    this.root.style.setProperty("--row", `${Math.max(17, Math.min(size, 66)).toFixed(1)}px`);
    this.root.classList.toggle("dense", size < 30);
    if (columns !== this.columns) this.build(columns);
  }

  /** @param {number} columns */
  build(columns) {
    this.columns = columns;
    this.arrangement = new Arrangement(this.scene.groups(), columns);
    const focus = this.root.contains(document.activeElement);
    this.root.replaceChildren(...this.arrangement.rows.flatMap((row) => this.row(row)));
    if (focus) this.cells[this.at].focus({ preventScroll: true });
  }

  /** @param {{title: string, shards: number[]}} row */
  row({ title, shards }) {
    const heading = el("div", { class: "group-head", role: "row" }, el("span", { role: "rowheader" }, title));
    const head = el("span", { class: "head", role: "rowheader" }, shards[0]);
    const cells = shards.map((shard) => this.cells[shard]);
    const made = el("div", { class: "row", role: "row" }, head, cells);
    return title ? [heading, made] : [made];
  }

  /** Shards belong together in another way. */
  regroup() {
    if (this.columns) this.build(this.columns);
  }

  /** Draws these shards anew. @param {Iterable<number>} shards @param {boolean} [flash] whether they changed just now */
  touch(shards, flash = false) {
    for (const shard of shards) this.draw(shard, flash);
  }

  /** @param {number} shard @param {boolean} flash */
  draw(shard, flash) {
    const { owner, heir, doubtful, stuck, failing, dim, held } = this.scene.face(shard);
    const key = `${owner} ${heir} ${doubtful} ${stuck} ${failing} ${dim} ${held} ${this.scene.nameOf(shard)}`;
    const cell = this.cells[shard];
    cell.setAttribute("aria-label", this.scene.tell(shard));
    if (key === this.drawn[shard]) return;
    this.drawn[shard] = key;
    const marks = { doubtful, stuck, failing, dim, held };
    const worn = Object.entries(marks).filter(([, is]) => is);
    cell.className = ["cell", looks(owner), ...worn.map(([name]) => name)].join(" ");
    cell.dataset.owner = this.scene.nameOf(shard);
    if (this.scene.chosen) cell.setAttribute("aria-selected", String(Boolean(held)));
    say(cell.firstChild, doubtful ? `(${letter(owner)})` : letter(owner));
    cell.querySelector(".heir")?.remove();
    if (heir >= 0) cell.append(el("span", { class: `heir ${looks(heir)}` }, el("span", null, letter(heir))));
    if (flash) cell.animate([{ filter: "brightness(1.5)", scale: "1.06" }, {}], { duration: 700, easing: "ease-out" });
  }

  /** @param {number} shard */
  focus(shard) {
    this.enter(shard);
    this.cells[shard].focus();
  }

  /** The cell by which Tab enters the map. @param {number} shard */
  enter(shard) {
    this.cells[this.at].tabIndex = -1;
    this.at = shard;
    this.cells[shard].tabIndex = 0;
  }

  /** @param {Event} event */
  pointed(event) {
    const shard = shardOf(event);
    if (shard === null) return;
    if (event.type === "focusin" && shard !== this.at) this.enter(shard);
    this.scene.pointed(shard);
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const shard = shardOf(event);
    if (shard === null) return;
    this.focus(shard);
    this.scene.chosen?.(shard);
  }
}

/** @param {Event} event */
function shardOf(event) {
  const cell = /** @type {HTMLElement} */ (event.target).closest(".cell");
  return cell instanceof HTMLElement ? Number(cell.dataset.shard) : null;
}
