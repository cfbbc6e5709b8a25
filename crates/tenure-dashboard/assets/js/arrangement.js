// @ts-check
// Which shard stands where on a map, and where a key leads from it.

/** @typedef {import("./order.js").Group} Group */

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
