// @ts-check
// The page tells the truth: while processes are killed, frozen and cut off, epochs on it never go back; and whenever the
// cluster comes to rest, it shows exactly what a process of its own reads from the store.

import assert from "node:assert/strict";
import { test } from "node:test";

import { browse, stageButton } from "./page.js";
import { pause, until, up } from "./stage.js";

const ROUNDS = 4;
const BLOWS = 4;

/** What the page says of each shard: its owner and its epoch, as its cells tell them. @param {import("playwright-core").Page} page */
const shown = (page) =>
  page.$$eval("#view-map [role=gridcell]", (cells) =>
    cells.map((cell) => {
      const epoch = /epoch (\d+)/.exec(cell.getAttribute("aria-label") ?? "");
      return { owner: /** @type {HTMLElement} */ (cell).dataset.owner, epoch: epoch ? Number(epoch[1]) : null };
    }),
  );

/** @param {any} status */
const told = (status) =>
  status.holdings.map((/** @type {any} */ one) => ({
    owner: one.owner ?? "nobody",
    epoch: one.owner ? one.epoch : null,
  }));

test("under_a_storm_of_faults_the_page_shows_what_is_in_the_store", async (t) => {
  const seed = Number(process.env.STORM_SEED ?? Date.now() % 1_000_000);
  t.diagnostic(`STORM_SEED=${seed}`);
  const draw = random(seed);
  const house = await up(t, ["--members", "5", "--ttl", "1s"]);
  // A button may be pressed that the next picture takes away, such as the second of two kills: that is refused.
  const page = await browse(t, house, { expected: [/409 \(Conflict\).*\/api\/v1\/playground\//] });
  await page.waitForSelector("#view-map [role=gridcell]");
  const watcher = watchEpochs(page);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let blow = 0; blow < BLOWS; blow += 1) await strike(page, draw);
    await heal(page);
    await until(() => agree(page, house));
    t.diagnostic(`round ${round}: the page and the store agree on 64 shards`);
  }
  assert.deepEqual(await watcher.end(), [], "no epoch went back");
});

/** Numbers that follow from a seed. @param {number} seed */
function random(seed) {
  let x = seed + 1;
  return (/** @type {number} */ below) => {
    x = (Math.imul(x ^ (x >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return x % below;
  };
}

/** Presses some button that is offered; one member is left alone, so that somebody can take over. @param {any} page @param {(below: number) => number} draw */
async function strike(page, draw) {
  const offered = page.locator('.legend-row:not([data-member="ada"]) .stage-buttons button');
  const count = await offered.count();
  if (count > 0)
    await offered
      .nth(draw(count))
      .click({ timeout: 2000 })
      .catch(() => {});
  await pause(draw(900));
}

/** @param {any} page */
async function heal(page) {
  for (const member of ["ben", "cleo", "dan", "eve"]) {
    for (const deed of ["thaw", "mend", "start"]) {
      const button = stageButton(page, member, deed);
      if (await button.isVisible().catch(() => false)) await button.click({ timeout: 2000 }).catch(() => {});
    }
  }
}

/** Waits until the store shows the same twice, with an owner for each shard and no heir. @param {import("./stage.js").House} house */
async function rest(house) {
  for (;;) {
    const status = await house.status();
    const settled = status.holdings.every((/** @type {any} */ one) => one.owner && !one.heir);
    await pause(700);
    if (settled && (await isStill(house, status))) return status;
  }
}

/** Whether the page comes to show what the store says at rest; not if that changes before it does. @param {any} page @param {import("./stage.js").House} house */
async function agree(page, house) {
  const status = await rest(house);
  const isShown = async () => JSON.stringify(await shown(page)) === JSON.stringify(told(status));
  while (!(await isShown())) {
    if (!(await isStill(house, status))) return false;
    await pause(100);
  }
  return true;
}

/** @param {import("./stage.js").House} house @param {any} status */
const isStill = async (house, status) => JSON.stringify(told(await house.status())) === JSON.stringify(told(status));

/** Looks at the page again and again; collects epochs that went back. @param {any} page */
function watchEpochs(page) {
  let over = false;
  /** @type {string[]} */
  const wrongs = [];
  /** @type {number[]} */
  const top = [];
  const watching = (async () => {
    while (!over) {
      (await shown(page)).forEach(({ epoch }, shard) => {
        if (epoch === null) return;
        if (epoch < (top[shard] ?? 0)) wrongs.push(`shard ${shard} went from ${top[shard]} back to ${epoch}`);
        top[shard] = Math.max(top[shard] ?? 0, epoch);
      });
      await pause(100);
    }
  })();
  return {
    end: async () => {
      over = true;
      await watching;
      return wrongs;
    },
  };
}
