// @ts-check
// Asks the server: once for what is not in the stream, and with the token to act.

import { token } from "./token.js";

/** A refusal, in the server's words. */
export class Refusal extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** @param {string} path @returns {Promise<any>} */
export const ask = (path) => call(`api/v1/${path}`, { method: "GET", headers: proof() });

/** Where a key belongs, as anybody may ask. @param {string} key @returns {Promise<import("./contract.js").Whereabouts>} */
export const askOwner = (key) => call(`v1/owner?key=${encodeURIComponent(key)}`, { method: "GET", headers: proof() });

/** @param {string} path @param {any} body @returns {Promise<any>} */
export function send(path, body) {
  const headers = { "Content-Type": "application/json", ...proof() };
  return call(`api/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Who asks, if that is known. @returns {Record<string, string>} */
export function proof() {
  const secret = token();
  return secret ? { Authorization: `Bearer ${secret}` } : {};
}

/** @param {string} path @param {RequestInit} how */
async function call(path, how) {
  const answer = await fetch(path, how).catch(() => {
    throw new Refusal(0, "The dashboard does not answer. It was not told, or it could not say whether it did it.");
  });
  const said = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refusal(answer.status, said?.message ?? `The dashboard answered ${answer.status}.`);
  return said;
}
