// @ts-check
// Who the dashboard takes us for, by the token at hand: asked again whenever that changes. The page offers what we may do, and
// the dashboard judges all the same.

import { ask } from "./api.js";
import { token, tokenNews } from "./token.js";

/** @typedef {{name: string, role: "viewer" | "operator" | "admin"}} Me */

/** Listeners of `change`. */
export const meNews = new EventTarget();

/** @type {Me | null} */
let me = null;
/** Why the token at hand is no use, in the dashboard's words. */
export let refusal = "";
/** @type {Promise<Me | null>} */
let answer = Promise.resolve(null);

/** Who we are, if that is known. */
export const known = () => me;

/** Whether we may drain, move and note. */
export const mayAct = () => me !== null && me.role !== "viewer";

/** Whether we may fence. */
export const mayFence = () => me?.role === "admin";

/** What the dashboard says of the token at hand; it throws a refusal. */
export const asked = () => answer;

export function startMe() {
  tokenNews.addEventListener("change", () => learn());
  learn();
}

/** Asks again, if nothing is known of the token at hand. */
export function askAgain() {
  if (token() && !me && !refusal) learn();
}

function learn() {
  const by = token();
  tell(null, "");
  answer = by ? ask("me") : Promise.resolve(null);
  answer.then(
    (who) => by === token() && tell(who, ""),
    (error) => by === token() && tell(null, error.status ? error.message : ""),
  );
}

/** @param {Me | null} who @param {string} why */
function tell(who, why) {
  me = who;
  refusal = why;
  meNews.dispatchEvent(new Event("change"));
}
