// @ts-check
// A frozen owner's shards do not look like any others: not only when its lease is over.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { browse, picture } from "./page.js";
import { dashboard, folder, heard, start } from "./stage.js";

test("the_shards_of_an_owner_that_is_late_to_renew_are_in_doubt_before_its_lease_is_over", async (t) => {
  const place = ["--store", `sqlite:${join(folder(t), "tenure.db")}`, "--cluster", "orders"];
  const work = ["--", "sh", "-c", "echo works; sleep 1000"];
  const run = (/** @type {string} */ name) =>
    start(t, ["run", ...place, "--shards", "16", "--ttl", "8s", "--member", name, ...work]);
  const [ada, ben] = [run("ada"), run("ben")];
  await Promise.all([ada, ben].map((one) => heard(one, /works/)));
  const page = await browse(t, await dashboard(t, place));
  await page.waitForFunction(() => document.querySelectorAll('#view-map [data-owner="ben"]').length > 0);
  ben.child.kill("SIGSTOP");
  try {
    await untilDoubted(page);
    await page.locator('#view-map [data-owner="ben"]').first().click();
    await page.locator(".inspector", { hasText: "no renewal seen for" }).waitFor();
    await picture(page, "doubt-light");
  } finally {
    // One that is frozen can't be ended in order.
    ben.child.kill("SIGCONT");
  }
});

/** Waits for shards in doubt; they are Ben's, whose lease is not over. @param {import("playwright-core").Page} page */
async function untilDoubted(page) {
  const told = await page.waitForFunction(() => {
    const doubted = [...document.querySelectorAll("#view-map .grid .doubtful")];
    const owners = new Set(doubted.map((cell) => /** @type {HTMLElement} */ (cell).dataset.owner));
    const row = /** @type {HTMLElement | null} */ (document.querySelector('.legend-row[data-member="ben"]'));
    const sums = document.querySelector("#sums")?.textContent ?? "";
    const isTold = owners.has("ben") && sums.includes("in doubt");
    return isTold && { state: row?.dataset.state, owners: [...owners] };
  });
  assert.deepEqual(await told.jsonValue(), { state: "active", owners: ["ben"] });
}
