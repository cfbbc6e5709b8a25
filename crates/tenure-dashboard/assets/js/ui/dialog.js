// @ts-check
// Asks a person, in a dialog of the browser's own: focus stays in it, Escape closes it.

import { Refusal } from "../data/api.js";
import { el, say } from "./dom.js";

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {string[]} says what it means, a paragraph each
 * @property {any[]} [fields] labels with inputs, each of which has a name
 * @property {string} confirm the word on the button
 * @property {boolean} [grave] whether it can do harm
 * @property {(answers: Record<string, string>) => Promise<string | void>} then does it; a refusal is shown, and one may try again
 */

/** @param {Question} question */
export function askPerson(question) {
  const { title, says, fields = [], confirm, grave } = question;
  const refusal = el("p", { class: "refusal alarming", role: "alert" });
  const yes = el("button", { type: "submit", class: `strong${grave ? " grave" : ""}` }, confirm);
  const no = el("button", { type: "button", onclick: () => dialog.close() }, "Cancel");
  const form = el(
    "form",
    null,
    el("h2", null, title),
    says.map((text) => el("p", null, text)),
    fields,
    refusal,
    el("div", { class: "answers" }, no, yes),
  );
  const dialog = el("dialog", { "aria-label": title, onclose: () => dialog.remove() }, form);
  form.addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    void answered(dialog, form, yes, refusal, question);
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {any} dialog @param {any} form @param {any} yes @param {any} refusal @param {Question} question */
async function answered(dialog, form, yes, refusal, question) {
  const answers = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  yes.disabled = true;
  say(refusal, "");
  try {
    const done = await question.then(answers);
    dialog.close();
    if (done) toast(done);
  } catch (error) {
    say(refusal, error instanceof Refusal ? error.message : String(error));
  } finally {
    yes.disabled = false;
  }
}

/** A line to be filled in. @param {string} name @param {string} words @param {Record<string, any>} [props] */
export function line(name, words, props = {}) {
  return el("label", { class: "line" }, el("span", null, words), el("input", { name, autocomplete: "off", ...props }));
}

/** Says something for a few seconds. @param {string} text @param {boolean} [bad] */
export function toast(text, bad = false) {
  const made = el("p", { class: `toast${bad ? " bad" : ""}`, role: "status" }, text);
  const host = document.querySelector(".toasts") ?? document.body.appendChild(el("div", { class: "toasts" }));
  host.append(made);
  setTimeout(() => made.remove(), bad ? 9000 : 5000);
}
