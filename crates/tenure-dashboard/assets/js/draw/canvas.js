// @ts-check
// A map of many thousand shards: one drawing, of which only what changed is drawn again, with a cell that keys can move and
// a voice that tells what it is.

import { el, say } from "../ui/dom.js";
import { Arrangement, layout, press } from "./arrangement.js";
import { colour, ink } from "./colours.js";

/** So long a change is marked. */
const FLASH_MS = 900;
/** The room for the name of a group. */
const TITLE = 22;

export class Canvas {
  /** @param {HTMLElement} host @param {import("./grid.js").Scene} scene @param {number} count @param {number} [at] */
  constructor(host, scene, count, at = 0) {
    this.scene = scene;
    this.count = count;
    this.at = at;
    this.columns = 1;
    this.size = 1;
    this.scale = 1;
    this.arrangement = new Arrangement(scene.groups(), 1);
    /** Where each row begins, in pixels of the page. @type {number[]} */
    this.tops = [];
    this.flashing = 0;
    /** @type {Map<number, number>} */
    this.flashes = new Map();
    this.sheet = el("canvas", {
      class: "sheet-of-shards",
      tabIndex: 0,
      role: "application",
      "aria-roledescription": "map of shards",
      "aria-label": `${scene.title}: ${count} shards; the arrow keys walk`,
      "data-count": count,
    });
    this.pen = this.sheet.getContext("2d");
    this.frame = el("span", { class: "focus-cell", hidden: true });
    this.held = el("span", { class: "held-cell", hidden: true });
    this.titles = el("div", { class: "group-titles" });
    this.voice = el("p", { class: "unseen", "aria-live": "polite" });
    host.replaceChildren(el("div", { class: "canvas-map" }, this.sheet, this.titles, this.held, this.frame), this.voice);
    this.host = host;
    this.sheet.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => press(this, event));
    this.sheet.addEventListener("focus", () => this.focus(this.at));
    this.sheet.addEventListener("blur", () => (this.frame.hidden = true));
    this.sheet.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.pointed(event));
    this.sheet.addEventListener("pointerleave", () => scene.pointed(null));
    this.sheet.addEventListener("click", (/** @type {PointerEvent} */ event) => this.clicked(event));
    this.retheme = () => this.touch(this.all());
    addEventListener("theme", this.retheme);
    this.watch = new ResizeObserver(() => this.arrange());
    this.watch.observe(host);
    this.arrange();
  }

  dispose() {
    this.watch.disconnect();
    removeEventListener("theme", this.retheme);
  }

  *all() {
    for (let shard = 0; shard < this.count; shard += 1) yield shard;
  }

  arrange() {
    const room = { width: this.host.clientWidth, height: Math.max(260, innerHeight * 0.68) };
    if (room.width <= 0) return;
    const { size } = layout(this.count, room, { least: 5, most: 26 });
    this.scale = devicePixelRatio || 1;
    const drawn = Math.max(1, Math.floor(size * this.scale)) / this.scale;
    const columns = Math.min(this.count, Math.floor(room.width / drawn / 5) * 5);
    if (columns === this.columns && drawn === this.size) return;
    this.columns = columns;
    this.size = drawn;
    this.regroup();
  }

  /** Puts the shards into rows, each group under its name. */
  regroup() {
    const { columns, size } = this;
    this.arrangement = new Arrangement(this.scene.groups(), columns);
    let top = 0;
    this.tops = this.arrangement.rows.map(({ title }) => {
      top += size + (title ? TITLE : 0);
      return top - size;
    });
    this.sheet.width = Math.round(columns * size * this.scale);
    this.sheet.height = Math.round(top * this.scale);
    this.sheet.style.width = `${columns * size}px`;
    this.sheet.style.height = `${top}px`;
    this.sheet.dataset.columns = columns;
    this.sheet.dataset.size = size;
    this.titles.replaceChildren(...this.arrangement.rows.flatMap((row, place) => this.title(row, place)));
    this.touch(this.all());
    if (!this.frame.hidden) this.frameOn(this.frame, this.at);
  }

  /** @param {{title: string}} row @param {number} place */
  title({ title }, place) {
    if (!title) return [];
    const made = el("span", { class: "group-head" }, title);
    made.style.top = `${this.tops[place] - TITLE}px`;
    return [made];
  }

  /** @param {Iterable<number>} shards @param {boolean} [flash] */
  touch(shards, flash = false) {
    const now = performance.now();
    for (const shard of shards) {
      this.draw(shard);
      if (flash) this.flashes.set(shard, now);
    }
    if (flash && !this.flashing) this.flashing = requestAnimationFrame(() => this.fade());
    if (!this.frame.hidden) say(this.voice, this.scene.tell(this.at));
    this.showHeld();
  }

  /** A frame around the shard that is chosen. */
  showHeld() {
    const held = this.scene.held?.() ?? null;
    this.held.hidden = held === null;
    if (held !== null) this.frameOn(this.held, held);
    if (held === null) delete this.sheet.dataset.held;
    else this.sheet.dataset.held = String(held);
  }

  /** The upper left corner of a shard, in pixels of the page. @param {number} shard */
  corner(shard) {
    const { row, column } = this.arrangement.placeOf(shard);
    return { x: column * this.size, y: this.tops[row] ?? 0 };
  }

  /** @param {HTMLElement} frame @param {number} shard */
  frameOn(frame, shard) {
    const { x, y } = this.corner(shard);
    const [left, top, side] = [x, y, this.size].map((number) => `${number}px`);
    Object.assign(frame.style, { left, top, width: side, height: side });
  }

  /** @param {number} shard */
  draw(shard) {
    const { pen, scale } = this;
    const { owner, heir, doubtful, stuck, failing, dim } = this.scene.face(shard);
    const alarming = stuck || failing;
    const side = Math.round(this.size * scale);
    const gap = side >= 5 ? Math.max(1, Math.round(scale)) : 0;
    const corner = this.corner(shard);
    const [x, y] = [Math.round(corner.x * scale), Math.round(corner.y * scale)];
    pen.clearRect(x, y, side, side);
    pen.globalAlpha = dim ? 0.16 : 1;
    pen.fillStyle = ink(owner);
    pen.fillRect(x, y, side - gap, side - gap);
    if (heir >= 0) this.half(x, y, side - gap, heir);
    if (doubtful || alarming) this.hollow(x, y, side - gap, alarming ? "alarm" : "sheet");
    pen.globalAlpha = 1;
  }

  /** The lower right half is the heir's. @param {number} x @param {number} y @param {number} side @param {number} heir */
  half(x, y, side, heir) {
    const { pen } = this;
    pen.fillStyle = ink(heir);
    pen.beginPath();
    pen.moveTo(x + side, y);
    pen.lineTo(x + side, y + side);
    pen.lineTo(x, y + side);
    pen.fill();
  }

  /** Only a rim is left of a shard whose owner is in doubt. @param {number} x @param {number} y @param {number} side @param {string} tone */
  hollow(x, y, side, tone) {
    const rim = Math.max(1, Math.round(side * 0.22));
    this.pen.fillStyle = colour(tone);
    this.pen.fillRect(x + rim, y + rim, side - 2 * rim, side - 2 * rim);
  }

  /** What changed has a rim for a moment. */
  fade() {
    const now = performance.now();
    const side = Math.round(this.size * this.scale);
    for (const [shard, since] of this.flashes) {
      const age = (now - since) / FLASH_MS;
      this.draw(shard);
      if (age >= 1) {
        this.flashes.delete(shard);
        continue;
      }
      this.pen.globalAlpha = 1 - age;
      this.pen.strokeStyle = colour("ink");
      this.pen.lineWidth = Math.max(1, this.scale);
      const { x, y } = this.corner(shard);
      this.pen.strokeRect(Math.round(x * this.scale) + 0.5, Math.round(y * this.scale) + 0.5, side - 2, side - 2);
      this.pen.globalAlpha = 1;
    }
    this.flashing = this.flashes.size ? requestAnimationFrame(() => this.fade()) : 0;
  }

  /** @param {number} shard */
  focus(shard) {
    this.enter(shard);
    if (document.activeElement !== this.sheet) this.sheet.focus({ preventScroll: true });
    this.frame.hidden = false;
    this.sheet.dataset.at = shard;
    this.frameOn(this.frame, shard);
    this.frame.scrollIntoView({ block: "nearest" });
    say(this.voice, this.scene.tell(shard));
    this.scene.pointed(shard);
  }

  /** The shard that has the focus when the map gets it. @param {number} shard */
  enter(shard) {
    this.at = shard;
  }

  /** @param {PointerEvent} event */
  pointed(event) {
    const shard = this.under(event);
    if (shard !== null) this.scene.pointed(shard);
  }

  /** @param {PointerEvent} event */
  clicked(event) {
    const shard = this.under(event);
    if (shard === null) return;
    this.focus(shard);
    this.scene.chosen?.(shard);
  }

  /** @param {PointerEvent} event @returns {number | null} */
  under(event) {
    const row = this.tops.findLastIndex((top) => event.offsetY >= top);
    const column = Math.floor(event.offsetX / this.size);
    const within = row >= 0 && event.offsetY < this.tops[row] + this.size && column >= 0;
    return within ? (this.arrangement.rows[row].shards[column] ?? null) : null;
  }
}
