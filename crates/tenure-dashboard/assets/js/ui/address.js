// @ts-check
// The address of what is looked at: a view, and what is chosen in it. It stands behind the `#`, which browsers never send, as
// `#map&shard=17&member=ada`; opened again, or sent to others, it shows the same.

/** Says `change` when somebody else than this page changed it. */
class Address extends EventTarget {
  constructor() {
    super();
    this.view = "";
    /** @type {Map<string, string>} */
    this.choices = new Map();
    this.read();
    addEventListener("hashchange", () => {
      this.read();
      this.dispatchEvent(new Event("change"));
    });
  }

  read() {
    const parts = location.hash.slice(1).split("&").filter(Boolean);
    const isChoice = (/** @type {string} */ part) => part.includes("=") && !part.startsWith("token=");
    this.view = parts.find((part) => !part.includes("=")) ?? "";
    this.choices = new Map(parts.filter(isChoice).map((part) => pair(part)));
  }

  /** @param {string} view */
  show(view) {
    this.view = view;
    this.write();
  }

  /** @param {string} name */
  get(name) {
    return this.choices.get(name) || null;
  }

  /** @param {string} name @param {string | null} value null and nothing are the same */
  set(name, value) {
    if (value) this.choices.set(name, value);
    else this.choices.delete(name);
    this.write();
  }

  write() {
    const parts = [...this.choices].map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    const hash = `#${[this.view, ...parts].join("&")}`;
    if (location.hash !== hash) history.replaceState(null, "", hash);
  }
}

/** @param {string} part @returns {[string, string]} */
function pair(part) {
  const [name, ...rest] = part.split("=");
  try {
    return [name, decodeURIComponent(rest.join("="))];
  } catch {
    return [name, ""];
  }
}

export const address = new Address();
