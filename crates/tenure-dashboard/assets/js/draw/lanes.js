// @ts-check
// Draws time from left to right: a lane for each shard with its owners and the gaps between them, or a lane for each member
// with how much it owned.

import { state } from "../data/state.js";
import { clock } from "../data/words.js";
import { colour, ink, inkOn } from "./colours.js";
import { letter } from "./mark.js";

/** @typedef {import("../data/contract.js").Tenure} Tenure */
/** @typedef {{from: number, to: number, now: number, cursor: number, live: boolean}} Span */

export const AXIS = 22;
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300].map((seconds) => seconds * 1000);

/** A sheet to draw lanes on, in the pixels of the page. */
export class Sheet {
  /** @param {HTMLCanvasElement} canvas @param {number} label the width of the names on the left */
  constructor(canvas, label) {
    this.canvas = canvas;
    this.label = label;
    this.pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.width = 0;
    this.height = 0;
    /** @type {Span} */
    this.span = { from: 0, to: 1, now: 1, cursor: 1, live: true };
  }

  /** @param {number} height @param {Span} span */
  begin(height, span) {
    const scale = devicePixelRatio || 1;
    this.width = this.canvas.parentElement?.clientWidth ?? 600;
    const [width, tall] = [Math.round(this.width * scale), Math.round(height * scale)];
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== tall) this.canvas.height = tall;
    this.canvas.style.height = `${height}px`;
    this.pen.setTransform(scale, 0, 0, scale, 0, 0);
    this.pen.clearRect(0, 0, this.width, height);
    this.pen.font = "11px system-ui, sans-serif";
    this.pen.textBaseline = "middle";
    this.height = height;
    this.span = span;
  }

  /** @param {number} at */
  x(at) {
    const { from, to } = this.span;
    return this.label + ((at - from) / (to - from)) * (this.width - this.label);
  }

  /** @param {number} x */
  time(x) {
    const { from, to } = this.span;
    return from + ((x - this.label) / (this.width - this.label)) * (to - from);
  }

  axis() {
    const { pen, span } = this;
    const room = (this.width - this.label) / 90;
    const step = STEPS.find((length) => (span.to - span.from) / length <= room) ?? STEPS[STEPS.length - 1];
    pen.textAlign = "center";
    for (let at = Math.ceil(span.from / step) * step; at <= span.to; at += step) {
      const x = Math.round(this.x(at)) + 0.5;
      pen.fillStyle = colour("line");
      pen.fillRect(x, AXIS - 4, 1, this.height - AXIS + 4);
      pen.fillStyle = colour("muted");
      if (x < this.width - 26) pen.fillText(clock(at), x, 9);
    }
    pen.textAlign = "left";
  }

  /** @param {string} text @param {number} y @param {string} [tone] */
  name(text, y, tone = "muted") {
    this.pen.fillStyle = colour(tone);
    this.pen.textAlign = "right";
    this.pen.fillText(text, this.label - 8, y);
    this.pen.textAlign = "left";
  }

  /** A stretch of time, cut to what is shown. @returns {[number, number] | null} @param {number} from @param {number} to @param {number} least */
  stretch(from, to, least = 0) {
    const a = Math.max(this.label, this.x(from));
    const b = Math.min(this.width, Math.max(this.x(to), a + least));
    return b <= this.label || a >= this.width || b <= a ? null : [a, b];
  }

  /** Times of which nothing is known, and the moment that is looked at. @param {import("../data/contract.js").Blind[]} blind */
  overlay(blind) {
    const { pen, span } = this;
    for (const { from_ms: from, to_ms: to } of blind) {
      const stretch = this.stretch(from, to ?? span.now);
      if (!stretch) continue;
      pen.fillStyle = colour("muted");
      pen.globalAlpha = 0.35;
      pen.fillRect(stretch[0], AXIS, stretch[1] - stretch[0], this.height - AXIS);
      pen.globalAlpha = 1;
    }
    if (span.live) return;
    pen.fillStyle = colour("ink");
    pen.fillRect(Math.round(this.x(span.cursor)) - 1, AXIS - 6, 2, this.height);
  }

  /** When operators did something. @param {import("../data/contract.js").Deed[]} deeds */
  flags(deeds) {
    const { pen } = this;
    pen.fillStyle = colour("accent");
    for (const deed of deeds) {
      const stretch = this.stretch(deed.at_ms, deed.at_ms, 1);
      if (!stretch) continue;
      pen.globalAlpha = 0.3;
      pen.fillRect(stretch[0], AXIS, 1, this.height - AXIS);
      pen.globalAlpha = 1;
      pen.beginPath();
      pen.moveTo(stretch[0] - 4, AXIS - 7);
      pen.lineTo(stretch[0] + 4, AXIS - 7);
      pen.lineTo(stretch[0], AXIS);
      pen.fill();
    }
  }
}

/** @param {Sheet} sheet @param {number} y @param {number} height @param {Tenure[]} tenures */
export function drawShardLane(sheet, y, height, tenures) {
  const { now } = sheet.span;
  tenures.forEach((tenure, place) => {
    const next = tenures[place + 1];
    bar(sheet, y, height, tenure, Math.min(tenure.to ?? now, next?.from ?? Infinity));
    if (tenure.to !== null) gap(sheet, y, height, tenure.to, next ? next.from : now);
  });
}

/** @param {Sheet} sheet @param {number} y @param {number} height @param {Tenure} tenure @param {number} to */
function bar(sheet, y, height, tenure, to) {
  const stretch = sheet.stretch(tenure.from, to, 1);
  if (!stretch) return;
  const { pen } = sheet;
  pen.fillStyle = ink(tenure.owner);
  pen.fillRect(stretch[0], y, stretch[1] - stretch[0], height);
  pen.fillStyle = colour("sheet");
  if (sheet.x(tenure.from) > sheet.label) pen.fillRect(stretch[0], y, 1, height);
  if (height < 10 || stretch[1] - stretch[0] < 16) return;
  pen.fillStyle = inkOn(tenure.owner);
  pen.fillText(letter(tenure.owner), stretch[0] + 5, y + height / 2 + 0.5);
}

/** @param {Sheet} sheet @param {number} y @param {number} height @param {number} from @param {number} to */
function gap(sheet, y, height, from, to) {
  const stretch = to > from ? sheet.stretch(from, to, 3) : null;
  if (!stretch) return;
  sheet.pen.fillStyle = colour("alarm");
  sheet.pen.fillRect(stretch[0], y - 1, stretch[1] - stretch[0], height + 2);
}

/**
 * How many shards somebody had, as steps in time.
 * @param {Tenure[]} tenures @returns {{at: number, count: number}[]}
 */
export function steps(tenures) {
  const changes = tenures.flatMap((one) =>
    one.to === null
      ? [[one.from, 1]]
      : [
          [one.from, 1],
          [one.to, -1],
        ],
  );
  changes.sort((a, b) => a[0] - b[0]);
  let count = 0;
  return changes.map(([at, change]) => ({ at, count: (count += change) }));
}

/** @param {Sheet} sheet @param {number} y @param {number} height @param {{at: number, count: number}[]} steps @param {number} most @param {number} owner */
export function drawMemberLane(sheet, y, height, steps, most, owner) {
  const { pen } = sheet;
  pen.fillStyle = colour("sunk");
  pen.fillRect(sheet.label, y, sheet.width - sheet.label, height);
  pen.fillStyle = ink(owner);
  steps.forEach(({ at, count }, place) => {
    const stretch = sheet.stretch(at, steps[place + 1]?.at ?? sheet.span.now, count && owner < 0 ? 2 : 0);
    if (!stretch || !count) return;
    const tall = Math.max(2, (count / most) * height);
    pen.fillRect(stretch[0], y + height - tall, stretch[1] - stretch[0], tall);
  });
}

/** A small map of who owned what at one moment. @param {HTMLCanvasElement} canvas @param {(shard: number) => number} ownerAt */
export function drawThen(canvas, ownerAt) {
  const width = canvas.parentElement?.clientWidth ?? 600;
  const size = Math.max(3, Math.min(14, Math.floor(Math.sqrt((width * 70) / Math.max(1, state.count)))));
  const columns = Math.max(1, Math.floor(width / size));
  const scale = devicePixelRatio || 1;
  canvas.width = width * scale;
  canvas.height = Math.ceil(state.count / columns) * size * scale;
  canvas.style.height = `${canvas.height / scale}px`;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.scale(scale, scale);
  for (let shard = 0; shard < state.count; shard += 1) {
    pen.fillStyle = ink(ownerAt(shard));
    pen.fillRect((shard % columns) * size, Math.floor(shard / columns) * size, size - 1, size - 1);
  }
}
