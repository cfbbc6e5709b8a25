// @ts-check
// How many shards stand in a row: a round number, so that places can be counted, and such that all fit if they can.

const ROUND = [4, 8, 10, 16, 20, 32, 40, 50, 64];
/** Where nobody counts cells, filling the room matters more. */
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
