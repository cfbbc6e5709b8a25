// @ts-check
// What this page knows: the picture, and what the stream said since. Views read it and listen to it; only the stream writes.

/** @typedef {import("./contract.js").Member} Member */
/** @typedef {import("./contract.js").Picture} Picture */
/** @typedef {import("./contract.js").Cells} Cells */

export const NOBODY = -1;
export const UNKNOWN = -2;

/** Says `picture`, `members`, `turns`, `cells`, `moves`, `sight`, `health`, `deed`, `link` after each change. */
class State extends EventTarget {
  constructor() {
    super();
    this.seq = 0;
    /** @type {Picture | null} */
    this.picture = null;
    /** @type {Member[]} */
    this.members = [];
    /** @type {import("./contract.js").Sight | null} */
    this.sight = null;
    this.owner = new Int32Array(0);
    this.heir = new Int32Array(0);
    this.epoch = new Float64Array(0);
    /** @type {(number | null)[]} */
    this.since = [];
    /** @type {(string | null)[]} */
    this.why = [];
    /** Whether events come, and since when that is so. */
    /** @type {{live: boolean, since: number, ever: boolean, refusal: string | null}} */
    this.link = { live: false, since: Date.now(), ever: false, refusal: null };
    this.skew = -Infinity;
  }

  get count() {
    return this.owner.length;
  }

  /** What the dashboard's clock shows now. */
  now() {
    return Date.now() + (Number.isFinite(this.skew) ? this.skew : 0);
  }

  /** The event that came fastest tells best how the clocks differ; a jump of one of them begins anew. @param {number} at */
  heard(at) {
    const skew = at - Date.now();
    if (skew > this.skew || skew < this.skew - 3000) this.skew = skew;
  }

  /** @param {string} name @param {any} [detail] */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** @param {string} name @param {(detail: any) => void} then */
  on(name, then) {
    this.addEventListener(name, (event) => then(/** @type {CustomEvent} */ (event).detail));
  }

  /** @param {Picture} picture */
  takePicture(picture) {
    this.heard(picture.at_ms);
    this.seq = picture.seq;
    this.picture = picture;
    this.members = picture.members;
    this.sight = picture.sight;
    const cells = picture.shards;
    this.owner = Int32Array.from(cells.owner);
    this.heir = Int32Array.from(cells.heir);
    this.epoch = Float64Array.from(cells.epoch);
    this.since = cells.since_ms;
    this.why = cells.why.map((place) => wordsAt(cells, place));
    this.tell("picture");
  }

  /** @param {{seq: number, at_ms: number, members: Member[]}} news */
  takeMembers(news) {
    this.heard(news.at_ms);
    this.seq = news.seq;
    const former = news.members.map((member) => this.members[member.index]);
    for (const member of news.members) this.members[member.index] = member;
    this.tell("members", { now: news.members, former, at: news.at_ms });
  }

  /** @param {Cells} cells */
  takeCells(cells) {
    this.heard(cells.at_ms);
    this.seq = cells.seq;
    const shards = cells.shard ?? [];
    shards.forEach((shard, place) => {
      this.owner[shard] = cells.owner[place];
      this.heir[shard] = cells.heir[place];
      this.epoch[shard] = cells.epoch[place];
      this.since[shard] = cells.since_ms[place];
      this.why[shard] = wordsAt(cells, cells.why[place]);
    });
    this.tell("cells", shards);
  }

  /** @param {import("./contract.js").Sight & {seq?: number}} sight */
  takeSight(sight) {
    this.sight = sight;
    this.tell("sight");
  }

  /** @param {boolean} live @param {string | null} [refusal] why not, in the dashboard's words */
  setLink(live, refusal = null) {
    if (this.link.live === live && this.link.ever && this.link.refusal === refusal) return;
    const since = this.link.live === live ? this.link.since : Date.now();
    this.link = { live, since, ever: this.link.ever || live, refusal };
    this.tell("link");
  }

  /** The member at this place. @param {number} index @returns {Member | undefined} */
  member(index) {
    return this.members[index];
  }

  /** @param {number} index */
  name(index) {
    return this.members[index]?.id ?? (index === UNKNOWN ? "unknown" : "nobody");
  }

  /** How many shards have no owner. */
  unowned() {
    let count = 0;
    for (const owner of this.owner) if (owner === NOBODY) count += 1;
    return count;
  }

  /** Those who are there, or have shards: all but the long gone. @returns {Member[]} */
  present() {
    return this.members.filter((member) => isPresent(member));
  }
}

const ENDED = new Set(["gone", "deposed", "forgotten"]);

/** @param {Member} member */
export function isPresent(member) {
  return !ENDED.has(member.state) || member.shards > 0 || isOnStage(member);
}

/** Whether it has a process that can still be thawed or mended. @param {Member} member */
function isOnStage(member) {
  return member.process === "running" || member.process === "frozen" || member.process === "cut";
}

/** @param {{reasons: string[]}} said @param {number | null} place */
export const wordsAt = (said, place) => (place === null || place === undefined ? null : (said.reasons[place] ?? null));

export const state = new State();
