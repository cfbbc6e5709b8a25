// @ts-check
// Tells what happened: from what changed to a sentence, and to what the protocol did and why. `docs/protocol.md` has the rules.

import { state } from "../data/state.js";
import { history, tenureAt } from "../data/tenures.js";
import { length, shardsNamed } from "../data/words.js";
import { note, retell } from "./lately.js";
import { moves } from "./moves.js";

/** @typedef {import("../data/contract.js").Turn} Turn */
/** @typedef {import("../data/contract.js").Tenure} Tenure */
/** @typedef {import("../data/contract.js").Tenures} Tenures */
/** @typedef {import("./lately.js").Sentence} Sentence */

export function startStory() {
  state.on("turns", (turns) => turns.map(turnTold).filter(isTold).forEach(note));
  state.on("moves", tellMoves);
  state.on("deed", (deed) => note(deedTold(deed)));
  state.on("sight", tellSight);
  state.on("picture", tellPast);
}

/** @param {Sentence | null} sentence @returns {sentence is Sentence} */
const isTold = (sentence) => sentence !== null;

/** A page that is opened late is told what the dashboard remembers, and what the ledger remembered when the dashboard came. */
async function tellPast() {
  await history.load().catch(() => {});
  if (!history.loaded) return;
  const sentences = [
    ...history.turns.map(turnTold).filter(isTold),
    ...moves({ from: 0, to: history.at }).filter((one) => one.to >= 0).map(moveTold),
    ...arrivals().map(moveTold),
    ...history.deeds.map(deedTold),
    ...history.blind.flatMap(blindTold),
  ];
  retell(
    sentences.sort((a, b) => a.at - b.at),
    history.at,
  );
}

/** What the first tenure of each shard that is remembered began with, by the word of the ledger. */
function arrivals() {
  /** @type {Map<string, any>} */
  const groups = new Map();
  for (const [first] of history.shards.values()) {
    const key = `${first.owner} ${first.from} ${first.why}`;
    const group = groups.get(key) ?? { at: first.from, from: -1, to: first.owner, end: "", shards: [], gapMax: null };
    group.shards.push(first.shard);
    groups.set(key, { ...group, why: first.why });
  }
  return [...groups.values()];
}

/** @param {import("../data/contract.js").Blind} blind @returns {Sentence[]} */
function blindTold({ from_ms: from, to_ms: to }) {
  /** @type {Sentence} */
  const lost = { at: from, mood: "bad", text: "The store did not answer any more." };
  return to === null ? [lost] : [lost, { at: to, mood: "good", text: "The store answers again." }];
}

/** @param {Turn} turn @returns {Sentence | null} */
function turnTold(turn) {
  const told = turn.anew ? ANEW(turn) : turn.from === null ? NEW(turn) : (STATES[turn.to]?.(turn) ?? null);
  return told && { at: turn.at_ms, ...told };
}

/** @typedef {(turn: Turn) => Omit<Sentence, "at"> | null} Telling */

/** @type {Telling} */
const NEW = ({ member, to }) =>
  to === "forgotten"
    ? null
    : {
        mood: "good",
        text: `${member} is new here.`,
        because:
          "It wrote a record of its own: its lease. Once the members have been the same for a moment, it gets its share.",
      };

/** @type {Telling} */
const ANEW = ({ member }) => ({
  mood: "good",
  text: `${member} begins a new life.`,
  because:
    "Its former lease is over and stays over: it joins as a new incarnation, and owns nothing until it is given shards.",
});

/** @type {Record<string, Telling>} */
const STATES = {
  silent: (is) => ({
    mood: "bad",
    text: `${is.member} is silent: its lease ran out unrenewed.`,
    because:
      "Nobody takes its shards on suspicion. Whoever watched it for the whole lease, by its own clock, may close its record.",
  }),
  deposed: (is) => ({
    mood: "bad",
    text: `${is.member} was deposed${is.by ? ` by ${is.by}` : ""}.`,
    because:
      "Its record was replaced over the very version that was silent. If it wakes, its guard is closed: it counted its lease shorter than others did.",
  }),
  gone: (is) =>
    is.by
      ? {
          mood: "bad",
          text: `${is.by} has proof that ${is.member} is dead.`,
          because: "The lock that its process held all its life is free. That is proof, so nobody waits for the lease.",
        }
      : {
          text: `${is.member} left.`,
          because: "It handed its shards on, stopped its work, and only then wrote `gone`: nobody has to wait.",
        },
  leaving: (is) => ({
    text: `${is.member} is leaving.`,
    because: "Its shards are promised to heirs, which warm up while it finishes.",
  }),
  drained: (is) => ({
    text: `${is.member} is drained.`,
    because: "Its shards go to others by planned moves; it stays a member and gets no more.",
  }),
  active: (is) =>
    is.from === "drained"
      ? { text: `${is.member} takes shards again.`, because: "It gets its share back, by planned moves." }
      : is.from === "silent"
        ? { mood: "good", text: `${is.member} is heard again.`, because: "It renewed before anybody closed it." }
        : null,
  unreadable: (is) => ({
    mood: "bad",
    text: `The record of ${is.member} can't be read.`,
    because: "Nobody acts on what it does not understand: its shards stay as they are.",
  }),
  forgotten: () => null,
};

/** @param {Tenures} moves */
function tellMoves(moves) {
  // What is not remembered yet is told with all that is.
  if (!history.loaded) return;
  /** @type {Map<string, any>} */
  const groups = new Map();
  moves.shard.forEach((_, place) => {
    const tenure = tenureAt(moves, place);
    if (tenure.to === null) gather(groups, tenure);
  });
  for (const group of groups.values()) note(moveTold({ at: moves.at_ms, ...group }));
}

/** @param {Map<string, any>} groups @param {Tenure} tenure */
function gather(groups, tenure) {
  const { shard, owner, gapMax, why } = tenure;
  const before = history.before(tenure);
  const [from, end] = [before?.owner ?? -1, before?.end ?? ""];
  const key = `${from} ${owner} ${end}`;
  const group = groups.get(key) ?? { from, to: owner, end, shards: [], gapMax: null, why };
  group.shards.push(shard);
  if (gapMax !== null) group.gapMax = Math.max(group.gapMax ?? 0, gapMax);
  groups.set(key, group);
}

/** Shards that went one way, as a sentence that grows while more of them do. @param {any} group @returns {Sentence} */
function moveTold(group) {
  const { at, from, to, end, why } = group;
  const spoken = {
    at,
    key: `move ${from} ${to} ${end} ${end ? "" : why}`,
    group,
    text: moveWords(group),
    because: BECAUSE[/** @type {keyof typeof BECAUSE} */ (end || "first")] ?? why ?? undefined,
    joined: (/** @type {any} */ earlier) => moveTold(together(earlier.group, group)),
  };
  return /** @type {Sentence} */ (spoken);
}

/** @param {any} one @param {any} other */
function together(one, other) {
  const gaps = [one.gapMax, other.gapMax].filter((gap) => gap !== null);
  return {
    ...other,
    shards: [...new Set([...one.shards, ...other.shards])],
    gapMax: gaps.length ? Math.max(...gaps) : null,
  };
}

/** @param {{from: number, to: number, shards: number[], gapMax: number | null, why: string | null}} group */
function moveWords({ from, to, shards, gapMax, why }) {
  const what = shardsNamed(shards);
  if (from < 0) return `${what} to ${state.name(to)}: ${why ?? "it is not remembered why"}.`;
  const away = gapMax === null ? "" : `; without an owner for at most ${length(gapMax)}`;
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

/** @param {import("../data/contract.js").Deed} deed @returns {Sentence} */
function deedTold(deed) {
  const { at_ms: at, who, why, refused } = deed;
  if (refused) {
    const what = deed.deed === "play" ? deed.blow : (deed.what ?? deed.deed);
    return { at, mood: "bad", text: `${who} could not ${what} ${deed.member ?? ""}: ${refused}` };
  }
  const [text, because] = deed.deed === "play" ? played(deed) : acted(deed);
  const way = deed.by === "dashboard" ? who : `${who}, ${deed.by}`;
  const by = deed.deed === "play" ? "" : ` (${[way, why].filter(Boolean).join(": ")})`;
  return { at, mood: "deed", text: `${text}${by}.`, because };
}

/** @param {import("../data/contract.js").Deed} deed */
function played(deed) {
  const [did, because] = BLOWS[/** @type {keyof typeof BLOWS} */ (deed.blow)] ?? [String(deed.blow), ""];
  return [`${deed.member ?? "One more member"} ${did}`, because];
}

/** @param {import("../data/contract.js").Deed} deed */
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
    case "cancel":
      return [
        `The move of shard ${deed.shard} is taken back`,
        "Its heir is asked to give it back, and does so unless it has begun.",
      ];
    case "other":
      return [String(deed.what), undefined];
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
