// @ts-check
// `tenure up` in a browser: sixty-four cells, a member that is killed by its button, and the page that tells what came of it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { browse, owners, show, stageButton, untilOwners } from "./page.js";
import { LEASE, until, up } from "./stage.js";

test("a_killed_members_shards_change_colour_and_the_timeline_shows_it", async (t) => {
  const house = await up(t);
  const page = await browse(t, house);
  await page.waitForSelector("#view-map [role=gridcell]");

  const before = await owners(page);
  assert.equal(before.length, 64);
  assert.deepEqual([...new Set(before)].sort(), ["ada", "ben", "cleo"]);
  const lost = before.flatMap((owner, shard) => (owner === "cleo" ? [shard] : []));
  assert.ok(lost.length > 0);
  const colour = (/** @type {number} */ shard) =>
    page.$eval(`#view-map [data-shard="${shard}"]`, (cell) => getComputedStyle(cell).backgroundColor);
  const colourBefore = await colour(lost[0]);

  await stageButton(page, "cleo", "kill").click();
  await untilOwners(page, (all) => all.every((owner) => owner === "ada" || owner === "ben"));
  await until(async () => (await colour(lost[0])) !== colourBefore);

  await page.locator(".log li", { hasText: "cleo was killed" }).waitFor();
  await page.locator(".log li", { hasText: "has proof that cleo is dead" }).waitFor();

  await show(page, "timeline");
  const rows = page.locator('.moves tr[data-end="died"]');
  const counts = () =>
    rows.evaluateAll((all) => all.map((row) => Number(/** @type {HTMLElement} */ (row).dataset.shards)));
  // As many as it had.
  await until(async () => (await counts()).reduce((sum, count) => sum + count, 0) === lost.length);
  assert.match((await rows.first().textContent()) ?? "", /cleo.*proven dead.*at most/s);

  await page.locator(".scrub").focus();
  for (let step = 0; step < 60; step += 1) {
    if ((await page.locator('.holder[data-owner="cleo"]').count()) > 0) break;
    await page.keyboard.press("ArrowLeft");
  }
  assert.equal(
    await page.locator('.holder[data-owner="cleo"]').getAttribute("data-count"),
    String(lost.length),
    "back in time it has them still",
  );

  await stageButton(page, "cleo", "start").click();
  await show(page, "map");
  await untilOwners(page, (all) => all.includes("cleo"));
});

test("one_that_is_frozen_is_silent_then_deposed_and_begins_anew_when_it_thaws", async (t) => {
  const house = await up(t, LEASE);
  const page = await browse(t, house);
  await stageButton(page, "ben", "freeze").click();
  await page.locator('.legend-row[data-member="ben"] .state-word', { hasText: "frozen" }).waitFor();
  await untilOwners(page, (all) => !all.includes("ben") && !all.includes("nobody"));
  await page.locator(".log li", { hasText: "ben was deposed" }).waitFor();
  await stageButton(page, "ben", "thaw").click();
  await page.locator(".log li", { hasText: "ben begins a new life" }).waitFor();
  await untilOwners(page, (all) => all.includes("ben"));
});

test("one_that_is_cut_off_stops_by_itself_and_comes_back_when_that_is_mended", async (t) => {
  const house = await up(t, LEASE);
  const page = await browse(t, house);
  await stageButton(page, "ada", "cut").click();
  await untilOwners(page, (all) => !all.includes("ada") && !all.includes("nobody"));
  await stageButton(page, "ada", "mend").click();
  await untilOwners(page, (all) => all.includes("ada"));
  await page.locator(".start-button").click();
  await untilOwners(page, (all) => new Set(all).size === 4 && !all.includes("nobody"));
});
