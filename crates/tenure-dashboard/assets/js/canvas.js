// @ts-check
// A map of many thousand shards: one drawing, of which only what changed is drawn again, with a cell that keys can move and
// a voice that tells what it is.

import { el, say } from "./dom.js";
import { colour, ink } from "./ink.js";
import { layout } from "./layout.js";
import { walk } from "./walk.js";

/** So long a change is marked. */
const FLASH_MS = 900;

export class Canvas {
  /** @param {HTMLElement} host @param {import("./grid.js").Scene} scene @param {number} count */
  constructor(host, scene, count) {
    this.scene = scene;
    this.count = count;
    this.at = 0;
    this.columns = 1;
    this.size = 1;
    this.scale = 1;
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
    this.voice = el("p", { class: "unseen", "aria-live": "polite" });
    host.replaceChildren(el("div", { class: "canvas-map" }, this.sheet, this.frame), this.voice);
    this.host = host;
    this.sheet.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    this.sheet.addEventListener("focus", () => this.focus(this.at));
    this.sheet.addEventListener("blur", () => (this.frame.hidden = true));
    this.sheet.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.pointed(event));
    this.sheet.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.pointed(event));
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
    const rows = Math.ceil(this.count / columns);
    if (columns === this.columns && drawn === this.size) return;
    this.columns = columns;
    this.size = drawn;
    this.sheet.width = Math.round(columns * drawn * this.scale);
    this.sheet.height = Math.round(rows * drawn * this.scale);
    this.sheet.style.width = `${columns * drawn}px`;
    this.sheet.style.height = `${rows * drawn}px`;
    this.sheet.dataset.columns = columns;
    this.sheet.dataset.size = drawn;
    this.touch(this.all());
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
  }

  /** @param {number} shard */
  draw(shard) {
    const { pen, scale } = this;
    const { owner, heir, doubtful, dim } = this.scene.face(shard);
    const side = Math.round(this.size * scale);
    const gap = side >= 5 ? Math.max(1, Math.round(scale)) : 0;
    const x = (shard % this.columns) * side;
    const y = Math.floor(shard / this.columns) * side;
    pen.clearRect(x, y, side, side);
    pen.globalAlpha = dim ? 0.16 : doubtful ? 0.5 : 1;
    pen.fillStyle = ink(owner);
    pen.fillRect(x, y, side - gap, side - gap);
    if (heir >= 0) this.half(x, y, side - gap, heir);
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
      const x = (shard % this.columns) * side;
      this.pen.strokeRect(x + 0.5, Math.floor(shard / this.columns) * side + 0.5, side - 2, side - 2);
      this.pen.globalAlpha = 1;
    }
    this.flashing = this.flashes.size ? requestAnimationFrame(() => this.fade()) : 0;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const next = walk(event.key, this.at, this.columns, this.count);
    if (next === null) return;
    event.preventDefault();
    this.focus(next);
  }

  /** @param {number} shard */
  focus(shard) {
    this.at = shard;
    this.frame.hidden = false;
    this.sheet.dataset.at = shard;
    Object.assign(this.frame.style, {
      left: `${(shard % this.columns) * this.size}px`,
      top: `${Math.floor(shard / this.columns) * this.size}px`,
      width: `${this.size}px`,
      height: `${this.size}px`,
    });
    this.frame.scrollIntoView({ block: "nearest" });
    say(this.voice, this.scene.tell(shard));
    this.scene.focused(shard);
  }

  /** @param {PointerEvent} event */
  pointed(event) {
    const column = Math.floor(event.offsetX / this.size);
    const shard = Math.floor(event.offsetY / this.size) * this.columns + column;
    if (column < 0 || column >= this.columns || shard < 0 || shard >= this.count) return;
    if (event.type === "pointerdown") this.focus(shard);
    else this.scene.focused(shard);
  }
}
