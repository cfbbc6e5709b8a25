// @ts-check
// The playground of `tenure up`: buttons that hurt a real process, each named after what it does to it.

import { play } from "./deeds.js";
import { el } from "./dom.js";

/** Which deeds make sense for a process in this state. @type {Record<string, string[]>} */
const OFFERED = {
  running: ["kill", "freeze", "cut", "stop"],
  frozen: ["kill", "thaw"],
  cut: ["kill", "mend"],
  killed: ["start"],
  left: ["start"],
  failed: ["start"],
};

const WORDS = {
  kill: ["Kill", "SIGKILL: it is gone at once, without a word"],
  freeze: ["Freeze", "SIGSTOP: it does nothing, and does not know"],
  thaw: ["Thaw", "SIGCONT: it goes on as if nothing had happened"],
  cut: ["Cut off", "Its calls to the store fail from now on"],
  mend: ["Reconnect", "Its calls to the store succeed again"],
  stop: ["Ask to leave", "SIGTERM: it hands its shards on and leaves"],
  start: ["Start again", "A new process under the same name"],
};

/** The buttons for one member; they change with what its process is up to. */
export class PlaygroundButtons {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.root = el("span", { class: "stage-buttons", role: "group", "aria-label": `What to do to ${id}` });
    this.drawn = "";
  }

  /** @param {import("../data/contract.js").Member} member */
  show(member) {
    const process = member.process ?? "";
    this.root.hidden = !process;
    if (process === this.drawn) return;
    this.drawn = process;
    const focus = this.root.contains(document.activeElement);
    this.root.replaceChildren(...(OFFERED[process] ?? []).map((deed) => this.button(deed)));
    if (focus) this.root.querySelector("button")?.focus();
  }

  /** @param {string} deed */
  button(deed) {
    const [words, title] = WORDS[/** @type {keyof typeof WORDS} */ (deed)];
    const grave = deed === "kill" ? " grave" : "";
    return el(
      "button",
      {
        type: "button",
        class: `tiny${grave}`,
        title,
        "data-deed": deed,
        "aria-label": `${words} ${this.id}`,
        onclick: () => play(`members/${encodeURIComponent(this.id)}/${deed}`),
      },
      words,
    );
  }
}

/** The button that starts one more member. */
export const startButton = () =>
  el("button", { type: "button", class: "tiny start-button", onclick: () => play("members") }, "Add a member");
