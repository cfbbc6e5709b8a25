// @ts-check
// What is chosen: a shard, by its number, and a member, by its name. Nothing but a person changes that: not the pointer on its way
// to a button, and no news. It is part of the address.

import { address } from "./address.js";

/** Says `change`. */
class Selection extends EventTarget {
  constructor() {
    super();
    address.addEventListener("change", () => this.tell());
  }

  /** The shard that is held, if one is. @returns {number | null} */
  get shard() {
    const said = address.get("shard");
    return said !== null && /^\d{1,9}$/.test(said) ? Number(said) : null;
  }

  /** The name of the member that is held. */
  get member() {
    return address.get("member");
  }

  /** @param {number | null} shard */
  holdShard(shard) {
    address.set("shard", shard === null ? null : String(shard));
    this.tell();
  }

  /** @param {string | null} id */
  holdMember(id) {
    address.set("member", id);
    this.tell();
  }

  tell() {
    this.dispatchEvent(new Event("change"));
  }
}

export const selection = new Selection();
