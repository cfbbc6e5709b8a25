// @ts-check
// Times, counts and shards in words.

/** A length of time. @param {number | null | undefined} ms @returns {string} */
export function length(ms) {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return "–";
  if (ms < 0) return `−${length(-ms)}`;
  if (ms < 10 && !Number.isInteger(ms)) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  if (ms < 7_200_000) return `${Math.floor(ms / 60_000)} min`;
  if (ms < 172_800_000) return `${Math.floor(ms / 3_600_000)} h`;
  return `${Math.floor(ms / 86_400_000)} days`;
}

/** A time of day, with the date if it was another day. @param {number} ms @param {number} [now] */
export function clock(ms, now = Date.now()) {
  const date = new Date(ms);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  if (Math.abs(now - ms) < 20 * 3_600_000) return time;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
}

/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");

/** `1 shard`, `2 shards`. @param {number} count @param {string} one @param {string} [many] */
export const many = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

/** A number with thin spaces between thousands. @param {number} count */
export const number = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");

/**
 * Shards as ranges, `0-3, 7`; cut off after `most` of them.
 * @param {Iterable<number>} shards @param {number} [most]
 */
export function ranges(shards, most = 12) {
  const sorted = [...new Set(shards)].sort((a, b) => a - b);
  /** @type {[number, number][]} */
  const runs = [];
  for (const shard of sorted) {
    const last = runs.at(-1);
    if (last && last[1] === shard - 1) last[1] = shard;
    else runs.push([shard, shard]);
  }
  const shown = runs.slice(0, most).map(([a, b]) => (a === b ? `${a}` : `${a}-${b}`));
  return shown.join(", ") + (runs.length > most ? ", …" : "");
}

/** `shard 7`, `3 shards (1, 4-5)`. @param {Iterable<number>} shards */
export function shardsNamed(shards) {
  const all = [...shards];
  return all.length === 1 ? `shard ${all[0]}` : `${many(all.length, "shard")} (${ranges(all, 5)})`;
}

/** The order of names, as people sort them. @param {string} a @param {string} b */
export const byName = (a, b) => a.localeCompare(b, "en", { numeric: true });

/** Names joined as people do. @param {string[]} names */
export function listed(names) {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
