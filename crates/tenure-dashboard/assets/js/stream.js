// @ts-check
// Looks on: server-sent events, from the whole picture to the latest change. A stream that ends, or says nothing for several
// beats, is begun anew; meanwhile the page says that it is blind.

import { state } from "./state.js";

/** A beat comes every 5 s; after so long without a word nobody is there. */
const SILENCE_MS = 17_000;
const RETRY_MS = 1_500;

/** @type {EventSource | null} */
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
  open();
  setInterval(() => {
    if (source && Date.now() - heardAt > SILENCE_MS) lose();
  }, 1000);
  addEventListener("pagehide", () => source?.close());
}

function open() {
  clearTimeout(retry);
  heardAt = Date.now();
  source = new EventSource("api/v1/stream");
  source.onerror = lose;
  for (const [name, take] of Object.entries(TAKE)) source.addEventListener(name, (event) => hear(event, take));
}

/** @param {MessageEvent} event @param {(data: any) => void} take */
function hear(event, take) {
  heardAt = Date.now();
  take(JSON.parse(event.data));
  state.setLink(true);
}

function lose() {
  source?.close();
  source = null;
  state.setLink(false);
  clearTimeout(retry);
  retry = window.setTimeout(open, RETRY_MS);
}
