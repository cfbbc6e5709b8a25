// @ts-check
// Whoever comes late is told what happened; and what took seconds is not told as if it had taken milliseconds.

import assert from "node:assert/strict";
import { test } from "node:test";

import { browse, show, stageButton, untilOwners } from "./page.js";
import { dashboard, up } from "./stage.js";

test("whoever_opens_the_page_late_reads_what_happened_before", async (t) => {
  const house = await up(t);
  const early = await browse(t, house);
  await stageButton(early, "cleo", "kill").click();
  await untilOwners(early, (all) => !all.includes("cleo") && !all.includes("nobody"));

  const late = await browse(t, house);
  for (const words of ["cleo was killed", "has proof that cleo is dead", "from cleo to"])
    await late.locator(".log li", { hasText: words }).first().waitFor();
  const times = await late.locator(".log time").allTextContents();
  assert.deepEqual(times, [...times].sort().reverse(), "the newest first");
  assert.equal(await late.locator(".log-empty").isVisible(), false);
});

test("a_dashboard_that_comes_late_tells_what_the_ledger_remembers", async (t) => {
  const stage = await up(t);
  const early = await browse(t, stage);
  await stageButton(early, "cleo", "kill").click();
  await untilOwners(early, (all) => !all.includes("cleo") && !all.includes("nobody"));
  const { store } = await stage.picture();
  const page = await browse(t, await dashboard(t, ["--store", store.address, "--cluster", "up"]));
  await page.locator(".log li", { hasText: /shards? .*to (ada|ben): cleo ended/ }).first().waitFor();
  await page.locator(".log li", { hasText: /to (ada|ben): first owner/ }).first().waitFor();
});

test("the_headline_of_the_gaps_is_the_longest_and_silence_is_told_apart_from_proof", async (t) => {
  const house = await up(t);
  const page = await browse(t, house);
  await stageButton(page, "cleo", "kill").click();
  await untilOwners(page, (all) => !all.includes("cleo") && !all.includes("nobody"));
  await stageButton(page, "ben", "freeze").click();
  await untilOwners(page, (all) => all.every((owner) => owner === "ada"));
  await show(page, "health");
  const plot = page.locator('[data-plot="gaps"]');
  await plot.locator(".key-item", { hasText: /^silence\d+ · p50/ }).waitFor();
  const { gaps } = await (await fetch(`${house.url}api/v1/health`)).json();
  assert.ok(gaps.silence.most.max_ms >= 2000, "a lease of two seconds had to run out");
  assert.match((await plot.locator(".plot-figure").textContent()) ?? "", /^\d+(\.\d)? s$/);
  assert.match((await plot.locator(".key-item").allTextContents()).join(), /proof of death\d+ · p50/);
  const measured = page.locator(".measured");
  await measured.locator(".fact", { hasText: /^\d.* slongest of \d+ failovers? after silence/ }).waitFor();
  await measured.locator(".fact", { hasText: /longest of \d+ failovers? after proof of death/ }).waitFor();
});
