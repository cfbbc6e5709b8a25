// @ts-check
// Tells what happened: from what changed to a sentence, and to what the protocol did and why. `docs/protocol.md` has the rules.

import { note } from "./log.js";
import { state, wordsAt } from "./state.js";
import { length, shardsNamed } from "./words.js";

/** @typedef {import("./contract.js").Member} Member */
/** @typedef {import("./contract.js").Tenures} Tenures */

export function startStory() {
  state.on("members", ({ now, former, at }) =>
    now.forEach((/** @type {Member} */ member, /** @type {number} */ place) => tellMember(at, former[place], member)),
  );
  state.on("moves", tellMoves);
  state.on("deed", tellDeed);
  state.on("sight", tellSight);
}

/** @param {number} at @param {Member | undefined} was @param {Member} is */
function tellMember(at, was, is) {
  if (!was) {
    note({
      at,
      mood: "good",
      text: `${is.id} is new here.`,
      because:
        "It wrote a record of its own: its lease. Once the members have been the same for a moment, it gets its share.",
    });
    return;
  }
  if (was.incarnation && is.incarnation && was.incarnation !== is.incarnation && is.lease.open) tellLife(at, is);
  else if (was.state !== is.state) tellState(at, was, is);
}

/** @param {number} at @param {Member} is */
function tellLife(at, is) {
  note({
    at,
    mood: "good",
    text: `${is.id} begins a new life.`,
    because:
      "Its former lease is over and stays over: it joins as a new incarnation, and owns nothing until it is given shards.",
  });
}

/** @param {number} at @param {Member} was @param {Member} is */
function tellState(at, was, is) {
  const told = STATES[is.state]?.(was, is);
  if (told) note({ at, ...told });
}

/** @type {Record<string, (was: Member, is: Member) => {text: string, because: string, mood?: any} | null>} */
const STATES = {
  silent: (_, is) => ({
    mood: "bad",
    text: `${is.id} is silent: its lease ran out unrenewed.`,
    because:
      "Nobody takes its shards on suspicion. Whoever watched it for the whole lease, by its own clock, may close its record.",
  }),
  deposed: (_, is) => ({
    mood: "bad",
    text: `${is.id} was deposed${is.by ? ` by ${is.by}` : ""}.`,
    because:
      "Its record was replaced over the very version that was silent. If it wakes, its guard is closed: it counted its lease shorter than others did.",
  }),
  gone: (_, is) =>
    is.by
      ? {
          mood: "bad",
          text: `${is.by} has proof that ${is.id} is dead.`,
          because: "The lock that its process held all its life is free. That is proof, so nobody waits for the lease.",
        }
      : {
          text: `${is.id} left.`,
          because: "It handed its shards on, stopped its work, and only then wrote `gone`: nobody has to wait.",
        },
  leaving: (_, is) => ({
    text: `${is.id} is leaving.`,
    because: "Its shards are promised to heirs, which warm up while it finishes.",
  }),
  drained: (_, is) => ({
    text: `${is.id} is drained.`,
    because: "Its shards go to others by planned moves; it stays a member and gets no more.",
  }),
  active: (was, is) =>
    was.state === "drained"
      ? { text: `${is.id} takes shards again.`, because: "It gets its share back, by planned moves." }
      : was.state === "silent"
        ? { mood: "good", text: `${is.id} is heard again.`, because: "It renewed before anybody closed it." }
        : null,
  unreadable: (_, is) => ({
    mood: "bad",
    text: `The record of ${is.id} can't be read.`,
    because: "Nobody acts on what it does not understand: its shards stay as they are.",
  }),
  forgotten: () => null,
};

/** The last owner of each shard that ended, as the stream told. @type {Map<number, {owner: number, end: string | null}>} */
const former = new Map();

/** @param {Tenures} moves */
function tellMoves(moves) {
  /** @type {Map<string, {from: number, to: number, end: string, shards: number[], gap: number | null}>} */
  const groups = new Map();
  moves.shard.forEach((shard, place) => {
    if (moves.to_ms[place] !== null) {
      former.set(shard, { owner: moves.owner[place], end: moves.end[place] });
      return;
    }
    const before = former.get(shard) ?? { owner: -1, end: null };
    const why = wordsAt(moves, moves.why[place]) ?? "";
    gather(groups, before, moves.owner[place], shard, moves.gap_max_ms[place], why);
  });
  for (const group of groups.values()) tellPassage(moves.at_ms, group);
}

/** @param {Map<string, any>} groups @param {{owner: number, end: string | null}} before @param {number} to @param {number} shard
 * @param {number | null} gap @param {string} why */
function gather(groups, before, to, shard, gap, why) {
  const key = `${before.owner} ${to} ${before.end}`;
  const group = groups.get(key) ?? { from: before.owner, to, end: before.end ?? "", shards: [], gap: null, why };
  group.shards.push(shard);
  if (gap !== null) group.gap = Math.max(group.gap ?? 0, gap);
  groups.set(key, group);
}

/** @param {number} at @param {any} group */
function tellPassage(at, group) {
  const { from, to, end, why } = group;
  const spoken = (/** @type {any} */ one) => ({
    at,
    key: `passage ${from} ${to} ${end}`,
    mood: "plain",
    group: one,
    text: passage(from, to, one),
    because: BECAUSE[/** @type {keyof typeof BECAUSE} */ (end || "first")] ?? why,
    joined: (/** @type {any} */ earlier) => spoken(together(earlier.group, one)),
  });
  note(/** @type {any} */ (spoken(group)));
}

/** @param {any} one @param {any} other */
function together(one, other) {
  const gaps = [one.gap, other.gap].filter((gap) => gap !== null);
  return {
    ...other,
    shards: [...new Set([...one.shards, ...other.shards])],
    gap: gaps.length ? Math.max(...gaps) : null,
  };
}

/** @param {number} from @param {number} to @param {{shards: number[], gap: number | null}} group */
function passage(from, to, { shards, gap }) {
  const what = shardsNamed(shards);
  if (from < 0) return `${what} to ${state.name(to)}: the first owner.`;
  const away = gap === null ? "" : `; without an owner for at most ${length(gap)}`;
  return from === to
    ? `${state.name(to)} has ${what} again${away}.`
    : `${what} from ${state.name(from)} to ${state.name(to)}${away}.`;
}

const BECAUSE = {
  first:
    "The plan follows from the members and the ledger alone, so everybody computes the same; the store decides who writes it.",
  moved: "A planned move: the heir was ready before the owner ended, and acts one hop after it.",
  left: "Whoever leaves hands on first: the heirs were ready.",
  died: "Each at the next epoch: what the dead one still has on its way carries an older number, and is refused.",
  deposed:
    "After a whole lease in silence, plus a margin for clocks: only now is it sure that the former owner can't act.",
  lapsed: "Its own clock ended the lease: it stopped by itself, and others were given its shards.",
  lost: "Its record is gone; the longest lease there can be was waited for.",
};

const BLOWS = {
  kill: ["was killed", "It could say nothing. Its shards stay its own until there is proof that it is dead."],
  freeze: [
    "was frozen",
    "It does not know. Its lease drains, and its guard goes by the clock: should it wake too late, it may not act.",
  ],
  thaw: ["was thawed", "Time first: before anything else it looks at the clock, and if its lease is over it lapses."],
  cut: [
    "was cut off from the store",
    "It can't renew, so it stops by itself before its lease ends. The others wait a little longer than that.",
  ],
  mend: ["reaches the store again", "If its life was closed meanwhile, it joins as a new one."],
  stop: ["was asked to leave", "It promises its shards to heirs first."],
  start: ["was started", "It joins: it reads its own record first, and replaces it if its former life is over."],
};

/** @param {import("./contract.js").Deed} deed */
function tellDeed(deed) {
  const { at_ms: at, who, why, refused } = deed;
  if (refused) {
    note({
      at,
      mood: "bad",
      text: `${who} could not ${deed.deed === "play" ? deed.blow : deed.deed} ${deed.member ?? ""}: ${refused}`,
    });
    return;
  }
  const [text, because] = deed.deed === "play" ? played(deed) : acted(deed);
  const by = deed.deed === "play" ? "" : ` (${who}: ${why})`;
  note({ at, mood: "deed", text: `${text}${by}.`, because });
}

/** @param {import("./contract.js").Deed} deed */
function played(deed) {
  const [did, because] = BLOWS[/** @type {keyof typeof BLOWS} */ (deed.blow)] ?? [String(deed.blow), ""];
  return [`${deed.member ?? "One more member"} ${did}`, because];
}

/** @param {import("./contract.js").Deed} deed */
function acted(deed) {
  const member = deed.member ?? "";
  switch (deed.deed) {
    case "drain":
      return [`${member} is to be drained`, "A mark in its record, which it adopts at its next renewal."];
    case "undrain":
      return [`${member} may have shards again`, "The mark in its record is gone."];
    case "fence":
      return [
        `${member} is fenced`,
        "Another writer is in its record, so its next renewal fails and it lapses. Others wait for its whole lease.",
      ];
    case "note":
      return [
        deed.text ? `A note about ${member}: “${deed.text}”` : `The note about ${member} is struck out`,
        undefined,
      ];
    case "move":
      return [
        `Shard ${deed.shard} is promised to ${deed.to}`,
        "As a planner would: the owner drains, the heir warms up.",
      ];
    default:
      return [`${deed.deed} ${member}`, undefined];
  }
}

function tellSight() {
  const sight = state.sight;
  const at = sight?.since_ms ?? state.now();
  if (sight?.state === "away")
    note({ at, mood: "bad", text: "The store does not answer.", because: sight.reason ?? undefined });
  if (sight?.state === "broken")
    note({ at, mood: "bad", text: "The dashboard itself failed.", because: sight.reason ?? undefined });
  if (sight?.state === "seen" && away) note({ at, mood: "good", text: "The store answers again." });
  away = sight?.state === "away";
}
let away = false;
