// @ts-check
// Which shard stands where on a map, and where a key leads from it.

/** @typedef {import("../data/groups.js").Group} Group */

export class Arrangement {
  /** @param {Group[]} groups @param {number} columns */
  constructor(groups, columns) {
    /** @type {{title: string, shards: number[]}[]} */
    this.rows = groups.flatMap(({ title, shards }) => cut(shards, columns, title));
    /** @type {Map<number, {row: number, column: number}>} */
    this.places = new Map();
    this.rows.forEach(({ shards }, row) =>
      shards.forEach((shard, column) => this.places.set(shard, { row, column })),
    );
  }

  /** @param {number} shard */
  placeOf(shard) {
    return this.places.get(shard) ?? { row: 0, column: 0 };
  }

  /** The shard at a place; that at the end of the row, if the row is shorter. @param {number} row @param {number} column */
  at(row, column) {
    const shards = this.rows[Math.max(0, Math.min(row, this.rows.length - 1))].shards;
    return shards[Math.min(column, shards.length - 1)];
  }

  /** Where a key leads; null if it means nothing here. @param {string} key @param {number} from @returns {number | null} */
  walk(key, from) {
    const { row, column } = this.placeOf(from);
    const last = this.rows.length - 1;
    if (key === "ArrowLeft") return column > 0 ? this.at(row, column - 1) : row > 0 ? this.at(row - 1, Infinity) : from;
    if (key === "ArrowRight") return this.after(from, row, column);
    if (key === "ArrowUp") return row > 0 ? this.at(row - 1, column) : from;
    if (key === "ArrowDown") return row < last ? this.at(row + 1, column) : from;
    if (key === "Home") return this.at(0, 0);
    if (key === "End") return this.at(last, Infinity);
    if (key === "PageUp") return this.at(row - 10, column);
    if (key === "PageDown") return this.at(row + 10, column);
    return null;
  }

  /** @param {number} from @param {number} row @param {number} column */
  after(from, row, column) {
    if (column < this.rows[row].shards.length - 1) return this.at(row, column + 1);
    return row < this.rows.length - 1 ? this.at(row + 1, 0) : from;
  }
}

/** Rows of so many; the first has the title. @param {number[]} shards @param {number} columns @param {string} title */
function cut(shards, columns, title) {
  const rows = [];
  for (let first = 0; first < shards.length; first += columns)
    rows.push({ title: first ? "" : title, shards: shards.slice(first, first + columns) });
  return rows;
}

const ROUND = [4, 8, 10, 16, 20, 32, 40, 50, 64];
/** Where cells are too many to count, filling the room matters more. */
const MANY = Array.from({ length: 80 }, (_, place) => (place + 1) * 5);

/**
 * @param {number} count @param {{width: number, height: number}} room @param {{least: number, most: number}} size
 * @returns {{columns: number, size: number, rows: number}}
 */
export function layout(count, room, { least, most }) {
  const ideal = Math.sqrt((room.width * room.height) / Math.max(1, count));
  const wanted = Math.min(most, Math.max(least, ideal));
  const fits = (least < 10 ? MANY : ROUND).filter((columns) => room.width / columns >= least);
  const columns = nearest(fits.length ? fits : [ROUND[0]], room.width / wanted, count);
  const size = Math.min(most, room.width / columns);
  return { columns, size, rows: Math.ceil(count / columns) };
}

/** @param {number[]} choices @param {number} wanted @param {number} count */
function nearest(choices, wanted, count) {
  const distance = (/** @type {number} */ columns) => Math.abs(Math.log(columns / wanted));
  const best = choices.reduce((a, b) => (distance(b) < distance(a) ? b : a));
  return Math.max(1, Math.min(best, count));
}

const CHOOSE = new Set(["Enter", " "]);

/**
 * @param {{scene: import("./grid.js").Scene, arrangement: import("./arrangement.js").Arrangement, at: number,
 *   focus: (shard: number) => void}} map
 * @param {KeyboardEvent} event
 */
export function press(map, event) {
  if (map.scene.chosen && CHOOSE.has(event.key)) map.scene.chosen(map.at);
  else if (map.scene.chosen && event.key === "Escape") map.scene.chosen(null);
  else {
    const next = map.arrangement.walk(event.key, map.at);
    if (next === null) return;
    map.focus(next);
  }
  event.preventDefault();
}
