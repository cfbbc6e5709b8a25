// @ts-check
// Everything can be reached without a pointer, and what is focused says what it is.

import assert from "node:assert/strict";
import { test } from "node:test";

import { browse, escape } from "./page.js";
import { until, up } from "./stage.js";

/** What has the focus. @param {import("playwright-core").Page} page */
const focused = (page) =>
  page.evaluate(() => {
    const it = /** @type {HTMLElement} */ (document.activeElement);
    return it.getAttribute("aria-label") ?? it.textContent ?? "";
  });

/** Presses Tab until something that is called so has the focus. @param {import("playwright-core").Page} page @param {RegExp} name */
async function tabTo(page, name) {
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press("Tab");
    if (name.test(await focused(page))) return;
  }
  assert.fail(`Tab leads to nothing called ${name}`);
}

test("a_walk_with_keys_alone_reads_the_map_changes_views_and_kills_a_member", async (t) => {
  const house = await up(t);
  const page = await browse(t, house);
  await page.waitForSelector("#view-map [role=gridcell]");

  await tabTo(page, /^shard 0: owned by/);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  assert.match(await focused(page), /^shard 17: owned by (ada|ben|cleo), epoch \d+, since \d\d:\d\d:\d\d/);
  assert.match((await page.locator(".inspector").textContent()) ?? "", /Shard17/);
  await page.keyboard.press("End");
  assert.match(await focused(page), /^shard 63:/);

  await tabTo(page, /^Kill ben$/);
  await page.keyboard.press("Enter");
  await page.locator(".log li", { hasText: "ben was killed" }).waitFor();
  await tabTo(page, /^Start again ben$/);

  await page.locator("#tab-map").focus();
  for (const view of ["members", "timeline", "health", "whatif", "map"]) {
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator(`#view-${view}`).isVisible(), true, view);
    assert.equal(await page.evaluate(() => document.activeElement?.id), `tab-${view}`);
  }

  await page.locator("#tab-map").press("ArrowRight");
  await tabTo(page, /^Drain ada$/);
  await page.keyboard.press("Enter");
  await page.keyboard.type("by keys alone");
  await escape(page);
  assert.match(await focused(page), /^Drain ada$/, "the focus is where it was");

  await page.locator("#theme-button").focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.reload();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark", "the choice is kept");
  await page.locator("#token-button", { hasText: "Change token" }).waitFor();
});

test("the_timeline_and_the_plots_answer_to_arrow_keys", async (t) => {
  const house = await up(t);
  const page = await browse(t, house, { view: "timeline" });
  await page.locator(".when", { hasText: "Now" }).waitFor();
  await page.locator(".scrub").focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.locator(".when", { hasText: /^At .* ago/ }).waitFor();
  await page.locator("#view-timeline button", { hasText: "Now" }).press("Enter");
  await page.locator(".when", { hasText: "Now" }).waitFor();

  await page.locator("#tab-health").click();
  const plot = page.locator('[data-plot="calls"]');
  await until(async () => (await plot.locator("path").count()) > 0);
  await plot.focus();
  await page.keyboard.press("ArrowLeft");
  assert.match((await plot.locator(".readout").textContent()) ?? "", /^\d\d:\d\d:\d\d: answered \d+/);
});
