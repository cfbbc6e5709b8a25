// @ts-check
// Real clusters for the tests: processes of the program, in folders of their own, gone when the test is over.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The program under test; `cargo xtask test --only browser` builds and names it. */
export const PROGRAM = process.env.TENURE_PROGRAM ?? "";
if (!PROGRAM) throw new Error("TENURE_PROGRAM names no program; run `cargo xtask test --only browser`");

/** @typedef {import("node:test").TestContext} Test */
/**
 * A dashboard to look at.
 * @typedef {object} House
 * @property {string} url its address, without a token
 * @property {string} token
 * @property {() => Promise<any>} picture
 * @property {() => Promise<any>} status what the store says, by a process of its own
 * @property {() => Promise<void>} stop
 */

/** A folder that goes with the test. @param {Test} t */
export function folder(t) {
  const path = mkdtempSync(join(tmpdir(), "tenure-browser-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** What ends before the processes of a test do: a page whose server is gone complains. @type {WeakMap<Test, (() => Promise<void>)[]>} */
const first = new WeakMap();

/** @param {Test} t @param {() => Promise<void>} end */
export function endsFirst(t, end) {
  first.set(t, [...(first.get(t) ?? []), end]);
}

/** @param {Test} t */
async function endFirst(t) {
  const ends = first.get(t) ?? [];
  first.delete(t);
  await Promise.all(ends.map((end) => end()));
}

/** Starts the program; it is ended with the test. @param {Test} t @param {string[]} args */
export function start(t, args) {
  const child = spawn(PROGRAM, args, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stdout.on("data", (data) => (said += data));
  child.stderr.on("data", (data) => (said += data));
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const stop = async (/** @type {NodeJS.Signals} */ signal = "SIGTERM") => {
    child.kill(signal);
    await ended;
  };
  t.after(async () => {
    await endFirst(t);
    await stop();
  });
  return { child, stop, said: () => said, ended };
}

/** Waits for words that a process says. @param {ReturnType<typeof start>} process @param {RegExp} words */
export async function heard(process, words) {
  let over = false;
  void process.ended.then(() => (over = true));
  for (;;) {
    const found = words.exec(process.said());
    if (found) return found;
    if (over) throw new Error(`it ended without saying ${words}:\n${process.said()}`);
    await pause(50);
  }
}

/** Short, for tests that wait for its end, and such that members of a busy machine keep it: one whose work outlives it ends itself. */
export const LEASE = ["--ttl", "3s"];

/** `tenure up`, with its page. @param {Test} t @param {string[]} [options] @returns {Promise<House>} */
export async function up(t, options = []) {
  const process = start(t, ["up", "--listen", "127.0.0.1:0", ...options]);
  const [, url, token] = await heard(process, /(http:\/\/127\.0\.0\.1:\d+\/)#token=(\S+)/);
  const house = new Opened(url, token, process.stop);
  await house.settled(members(options));
  return house;
}

/** How many `up` starts. @param {string[]} options */
function members(options) {
  const at = options.indexOf("--members");
  return at < 0 ? 3 : Number(options[at + 1]);
}

/** `tenure dashboard`. @param {Test} t @param {string[]} options @param {string} [token] @returns {Promise<House>} */
export async function dashboard(t, options, token = "") {
  const process = start(t, ["dashboard", "--listen", "127.0.0.1:0", ...options]);
  const [url] = await heard(process, /http:\/\/127\.0\.0\.1:\d+\//);
  return new Opened(url, token, process.stop);
}

class Opened {
  /** @param {string} url @param {string} token @param {() => Promise<void>} stop */
  constructor(url, token, stop) {
    this.url = url;
    this.token = token;
    this.stop = stop;
  }

  async picture() {
    return (await fetch(`${this.url}api/v1/picture`)).json();
  }

  async status() {
    const { store, cluster } = await this.picture();
    return ask(["status", "--json", "--store", store.address, "--cluster", cluster]);
  }

  /** Until every shard has an owner, and each of so many members its share. @param {number} count */
  async settled(count) {
    await until(async () => {
      const { shards, members } = await this.picture();
      const resting = shards.heir.every((/** @type {number} */ heir) => heir < 0);
      const owned = shards.owner.length > 0 && shards.owner.every((/** @type {number} */ owner) => owner >= 0);
      return owned && resting && members.filter((/** @type {any} */ one) => one.shards > 0).length === count;
    });
  }
}

/** Runs a command to its end, and reads what it prints. @param {string[]} args */
export function ask(args) {
  const { stdout, stderr, status } = spawnSync(PROGRAM, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`tenure ${args.join(" ")} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

/** @param {number} ms */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits for something to become true; the test runner ends a test that waits in vain. @param {() => unknown} isSo */
export async function until(isSo) {
  while (!(await isSo())) await pause(100);
}
