// @ts-check
// Looks on: server-sent events, from the whole picture to the latest change. A stream that ends, or says nothing for several
// beats, is begun anew; meanwhile the page says that it is blind.

import { proof } from "./api.js";
import { state } from "./state.js";
import { tokenNews } from "./token.js";

/** A beat comes every 5 s; after so long without a word the server is gone. */
const SILENCE_MS = 17_000;
const RETRY_MS = 1_500;

/** Ends the stream that is open. @type {AbortController | null} */
let source = null;
let heardAt = Date.now();
let retry = 0;

const TAKE = {
  picture: (/** @type {any} */ data) => state.takePicture(data),
  members: (/** @type {any} */ data) => state.takeMembers(data),
  cells: (/** @type {any} */ data) => state.takeCells(data),
  turns: (/** @type {any} */ data) => state.tell("turns", data.turns),
  moves: (/** @type {any} */ data) => state.tell("moves", data),
  sight: (/** @type {any} */ data) => state.takeSight(data),
  health: (/** @type {any} */ data) => state.tell("health", data),
  deed: (/** @type {any} */ data) => state.tell("deed", data),
  beat: (/** @type {any} */ data) => state.heard(data.at_ms),
};

/** Begins to look on, and goes on for as long as the page is there. */
export function follow() {
  void open();
  setInterval(() => {
    if (source && Date.now() - heardAt > SILENCE_MS) lose();
  }, 1000);
  addEventListener("pagehide", () => source?.abort());
  tokenNews.addEventListener("change", again);
}

/** Begins anew, with the present token. */
function again() {
  source?.abort();
  void open();
}

async function open() {
  clearTimeout(retry);
  heardAt = Date.now();
  const mine = new AbortController();
  source = mine;
  const refusal = await read(mine).catch(() => null);
  if (source === mine) lose(refusal);
}

/** Reads to the end; says why it was refused, if it was. @param {AbortController} mine @returns {Promise<string | null>} */
async function read(mine) {
  // No EventSource: it could not say who asks.
  const answer = await fetch("api/v1/stream", { headers: proof(), signal: mine.signal });
  if (!answer.ok || !answer.body) return (await answer.json())?.message ?? null;
  for await (const { name, data } of events(answer.body)) {
    if (source !== mine) return null;
    heardAt = Date.now();
    if (name in TAKE) TAKE[/** @type {keyof typeof TAKE} */ (name)](JSON.parse(data));
    state.setLink(true);
  }
  return null;
}

/** @param {string | null} [refusal] */
function lose(refusal = null) {
  source?.abort();
  source = null;
  state.setLink(false, refusal);
  clearTimeout(retry);
  retry = window.setTimeout(open, RETRY_MS);
}

/** @typedef {{name: string, data: string}} Told */

/** @param {ReadableStream<Uint8Array>} body @returns {AsyncGenerator<Told>} */
export async function* events(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const told = event(block);
      if (told) yield told;
    }
  }
}

/** @param {string} block @returns {Told | null} what keeps the line alive says nothing */
function event(block) {
  const lines = block.split("\n");
  const said = (/** @type {string} */ field) =>
    lines.filter((line) => line.startsWith(`${field}: `)).map((line) => line.slice(field.length + 2));
  const data = said("data").join("\n");
  return data ? { name: said("event")[0] ?? "message", data } : null;
}
