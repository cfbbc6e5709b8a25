// @ts-check
// A store that can be killed and comes back, and be written into by hand: one node of etcd, with its data on disk.

import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";

import { folder, until } from "./stage.js";

const PROGRAM = process.env.ETCD_PROGRAM ?? "";

/** Why tests that need etcd are left out; only if whoever runs them asked for that. */
export const LEFT_OUT = process.env.ETCD_SKIPPED ?? false;
if (!PROGRAM && !LEFT_OUT) throw new Error("ETCD_PROGRAM names no program; run `cargo xtask test --only browser`");

/** @param {import("node:test").TestContext} t */
export async function etcd(t) {
  const data = join(folder(t), "data");
  const [client, peer] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${client}`;
  const args = [
    "--data-dir",
    data,
    "--listen-client-urls",
    url,
    "--advertise-client-urls",
    url,
    "--log-level",
    "error",
    "--listen-peer-urls",
    `http://127.0.0.1:${peer}`,
    "--initial-advertise-peer-urls",
    `http://127.0.0.1:${peer}`,
    "--initial-cluster",
    `default=http://127.0.0.1:${peer}`,
  ];
  /** @type {import("node:child_process").ChildProcess | null} */
  let child = null;
  const kill = async () => {
    const ended = child && new Promise((resolve) => child?.on("exit", resolve));
    child?.kill("SIGKILL");
    await ended;
    child = null;
  };
  const start = async () => {
    child = spawn(PROGRAM, args, { stdio: "ignore" });
    await until(() =>
      fetch(`${url}/health`).then(
        (answer) => answer.ok,
        () => false,
      ),
    );
  };
  /** Writes a record as nobody of ours would. @param {string} key @param {string} value */
  const put = async (key, value) => {
    const body = JSON.stringify({ key: btoa(`tenure/${key}`), value: btoa(value) });
    const answer = await fetch(`${url}/v3/kv/put`, { method: "POST", body });
    if (!answer.ok) throw new Error(`etcd answers ${answer.status}: ${await answer.text()}`);
  };
  t.after(kill);
  await start();
  return { address: `etcd://127.0.0.1:${client}/tenure`, kill, start, put };
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}
