// @ts-check
// A small plot over the last minutes: lines or bars, one scale, and a cross-hair that tells the numbers, by pointer or by keys.

import { clock } from "../data/words.js";
import { el, fill, say, svg } from "../ui/dom.js";

const [HEIGHT, LEFT, BOTTOM, TOP] = [132, 46, 18, 8];

/**
 * @typedef {object} Line
 * @property {string} name @property {string} tone a colour of the style sheets @property {(number | null)[]} values
 * @property {string} [dash] @property {string} [beside] what the key says besides the name
 */
/**
 * @typedef {object} Plotted
 * @property {number[]} at @property {number} step @property {Line[]} lines @property {"lines" | "bars"} kind
 * @property {(value: number) => string} words @property {number} [least] the top of the scale at least
 */

export class Plot {
  /** @param {{id: string, title: string, about: string}} what */
  constructor({ id, title, about }) {
    this.figure = el("span", { class: "plot-figure" });
    this.beside = el("span", { class: "small muted" });
    this.drawing = svg("svg", { role: "img", "aria-label": title });
    this.key = el("span", { class: "plot-key small" });
    this.readout = el("p", { class: "readout small muted", "aria-live": "polite" });
    this.root = el(
      "figure",
      { class: "plot sheet", tabIndex: 0, "data-plot": id, onkeydown: (/** @type {any} */ event) => this.keyed(event) },
      el("figcaption", null, el("h2", null, title), el("p", { class: "small muted" }, about)),
      el("p", { class: "plot-head" }, this.figure, this.beside),
      this.drawing,
      el("div", { class: "plot-foot" }, this.key, this.readout),
    );
    this.drawing.addEventListener("pointermove", (event) => this.pointed(/** @type {PointerEvent} */ (event)));
    this.drawing.addEventListener("pointerleave", () => this.mark(null));
    /** @type {Plotted | null} */
    this.data = null;
    /** @type {number | null} */
    this.at = null;
    this.width = 400;
    this.most = 1;
    this.from = 0;
    this.to = 1;
    this.cross = this.makeCross();
  }

  /** @param {string} figure @param {string} beside @param {Plotted} data */
  show(figure, beside, data) {
    this.data = data;
    say(this.figure, figure);
    say(this.beside, beside);
    this.scale();
    fill(
      this.drawing,
      ...this.axes(),
      ...data.lines.map((line, place) => this.line(line, place)),
      (this.cross = this.makeCross()),
    );
    fill(this.key, data.lines.length > 1 ? data.lines.map((line) => keyOf(line)) : null);
    this.mark(this.at === null ? null : Math.min(this.at, data.at.length - 1));
  }

  scale() {
    this.width = this.drawing.clientWidth || 400;
    this.drawing.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    const { at, lines, kind, step, least = 1 } = /** @type {Plotted} */ (this.data);
    const sums = at.map((_, place) => lines.map((line) => line.values[place] ?? 0));
    const most = sums.map((values) => (kind === "bars" ? values.reduce((a, b) => a + b, 0) : Math.max(...values)));
    this.most = nice(Math.max(least, ...most));
    this.to = (at.at(-1) ?? Date.now()) + step;
    this.from = Math.min(at[0] ?? this.to, this.to - 60_000);
  }

  /** @param {number} at */
  x(at) {
    return LEFT + ((at - this.from) / (this.to - this.from)) * (this.width - LEFT - 4);
  }

  /** @param {number} value */
  y(value) {
    return TOP + (1 - value / this.most) * (HEIGHT - TOP - BOTTOM);
  }

  *axes() {
    const { words } = /** @type {Plotted} */ (this.data);
    for (const share of [0, 0.5, 1]) {
      const y = this.y(this.most * share);
      yield svg("line", { class: "rule", x1: LEFT, x2: this.width - 4, y1: y, y2: y });
      yield text(words(this.most * share), LEFT - 6, y + 3.5, "end");
    }
    yield text(clock(this.from), LEFT, HEIGHT - 4, "start");
    yield text(clock(this.to), this.width - 4, HEIGHT - 4, "end");
  }

  /** @param {Line} line @param {number} place */
  line(line, place) {
    const { kind } = /** @type {Plotted} */ (this.data);
    const d = kind === "bars" ? this.bars(line, place) : this.path(line);
    return svg("path", {
      class: `${kind} tone-${line.tone}`,
      d,
      ...(line.dash ? { "stroke-dasharray": line.dash } : {}),
    });
  }

  /** @param {Line} line */
  path({ values }) {
    const { at, step } = /** @type {Plotted} */ (this.data);
    let d = "";
    values.forEach((value, place) => {
      if (value === null) return;
      const begins = place === 0 || values[place - 1] === null || at[place] - at[place - 1] > step * 1.5;
      d += `${begins ? "M" : "L"}${this.x(at[place]).toFixed(1)} ${this.y(value).toFixed(1)}`;
      if (begins && (values[place + 1] ?? null) === null) d += "m-2 0a2 2 0 1 0 4 0a2 2 0 1 0 -4 0";
    });
    return d;
  }

  /** @param {Line} line @param {number} place bars stand on those of the lines before */
  bars({ values }, place) {
    const { at, lines, step } = /** @type {Plotted} */ (this.data);
    const wide = Math.max(1.2, this.x(this.from + step) - this.x(this.from) - 0.8);
    let d = "";
    values.forEach((value, index) => {
      if (!value) return;
      const under = lines.slice(0, place).reduce((sum, line) => sum + (line.values[index] ?? 0), 0);
      const [top, bottom] = [this.y(under + value), this.y(under)];
      d += `M${this.x(at[index]).toFixed(1)} ${bottom.toFixed(1)}V${Math.min(top, bottom - 1.5).toFixed(1)}h${wide.toFixed(1)}V${bottom.toFixed(1)}z`;
    });
    return d;
  }

  makeCross() {
    return svg("line", { class: "cross", x1: 0, x2: 0, y1: TOP, y2: HEIGHT - BOTTOM, visibility: "hidden" });
  }

  /** @param {PointerEvent} event */
  pointed(event) {
    const { at, step } = this.data ?? { at: [], step: 1 };
    if (!at.length) return;
    const box = this.drawing.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * this.width;
    const time = this.from + ((x - LEFT) / (this.width - LEFT - 4)) * (this.to - this.from) - step / 2;
    const nearest = at.reduce(
      (best, one, place) => (Math.abs(one - time) < Math.abs(at[best] - time) ? place : best),
      0,
    );
    this.mark(nearest);
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const last = (this.data?.at.length ?? 0) - 1;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined || last < 0) return;
    event.preventDefault();
    this.mark(Math.max(0, Math.min(last, (this.at ?? last + (step < 0 ? 1 : 0)) + step)));
  }

  /** @param {number | null} place */
  mark(place) {
    this.at = place;
    if (place === null || !this.data?.at.length || place < 0) {
      say(this.readout, "");
      this.cross?.setAttribute("visibility", "hidden");
      return;
    }
    const { at, lines, words, step } = this.data;
    const x = this.x(at[place] + step / 2);
    for (const [name, value] of [
      ["x1", x],
      ["x2", x],
      ["visibility", "visible"],
    ])
      this.cross?.setAttribute(String(name), String(value));
    const told = lines.map(
      ({ name, values }) =>
        `${name} ${values[place] === null || values[place] === undefined ? "–" : words(/** @type {number} */ (values[place]))}`,
    );
    say(this.readout, `${clock(at[place])}: ${told.join(", ")}`);
  }
}

/** @param {Line} line */
const keyOf = ({ name, tone, beside }) =>
  el(
    "span",
    { class: "key-item" },
    el("span", { class: `dot tone-${tone}`, "aria-hidden": "true" }),
    name,
    beside ? el("span", { class: "muted" }, beside) : null,
  );

/** @param {string} words @param {number} x @param {number} y @param {string} anchor */
function text(words, x, y, anchor) {
  const made = svg("text", { x, y, "text-anchor": anchor });
  made.textContent = words;
  return made;
}

/** The next round number. @param {number} value */
function nice(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 8, 10].map((step) => step * power).find((step) => step >= value) ?? value;
}
