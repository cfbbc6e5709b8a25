// @ts-check
// Where a key leads on a map.

/**
 * @param {string} key @param {number} at @param {number} columns @param {number} count
 * @returns {number | null} the next place; null if the key means nothing here
 */
export function walk(key, at, columns, count) {
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
  if (key in steps) {
    const next = at + steps[/** @type {keyof typeof steps} */ (key)];
    return next >= 0 && next < count ? next : at;
  }
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (key === "PageUp") return Math.max(at % columns, at - 10 * columns);
  if (key === "PageDown") return Math.min(count - 1, at + 10 * columns);
  return null;
}
