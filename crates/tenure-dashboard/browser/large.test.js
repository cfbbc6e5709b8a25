// @ts-check
// Ten thousand shards: the drawing shows what the store says, keys walk on it, and what it costs is printed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { browse, picture, show, stageButton } from "./page.js";
import { until, up } from "./stage.js";

const COUNT = 10_000;

/** How many cells of the drawing have each colour. @param {import("playwright-core").Page} page @returns {Promise<Record<string, number>>} */
const colours = (page) =>
  page.$eval("canvas.sheet-of-shards", (sheet) => {
    const canvas = /** @type {HTMLCanvasElement} */ (sheet);
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const { columns, size, count } = /** @type {Record<string, string>} */ (canvas.dataset);
    const side = Math.round(Number(size) * devicePixelRatio);
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    /** @type {Record<string, number>} */
    const found = {};
    for (let shard = 0; shard < Number(count); shard += 1) {
      const x = (shard % Number(columns)) * side + Math.floor(side / 2) - 1;
      const y = Math.floor(shard / Number(columns)) * side + Math.floor(side / 2) - 1;
      const at = (y * canvas.width + x) * 4;
      const key = [...data.slice(at, at + 3)].join();
      found[key] = (found[key] ?? 0) + 1;
    }
    return found;
  });

/** The same by the store: how many shards each member has. @param {any} status */
function held(status) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const { owner } of status.holdings) counts[owner] = (counts[owner] ?? 0) + 1;
  return Object.values(counts).sort((a, b) => a - b);
}

test("ten_thousand_shards_are_drawn_as_they_are_and_stay_usable", async (t) => {
  const house = await up(t, ["--members", "5", "--shards", String(COUNT), "--ttl", "4s"]);
  const page = await browse(t, house, { expected: [/willReadFrequently/] });
  await page.waitForSelector("canvas.sheet-of-shards");
  const first = await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
    return { paint: Math.round(paint), map: Math.round(performance.now()) };
  });
  t.diagnostic(`first paint after ${first.paint} ms; the map of ${COUNT} shards is there by ${first.map} ms`);
  await until(
    async () => String(Object.values(await colours(page)).sort((a, b) => a - b)) === String(held(await house.status())),
  );

  await page.locator("canvas.sheet-of-shards").focus();
  const took = await page.evaluate(async () => {
    const sheet = /** @type {HTMLElement} */ (document.querySelector("canvas.sheet-of-shards"));
    const began = performance.now();
    for (let step = 0; step < 50; step += 1)
      sheet.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - began;
  });
  t.diagnostic(`50 steps by keys: ${took.toFixed(1)} ms`);
  assert.equal(await page.locator("canvas.sheet-of-shards").getAttribute("data-at"), "50");
  assert.match((await page.locator("#view-map [aria-live]").textContent()) ?? "", /^shard 50: owned by/);

  await page.evaluate(() => {
    const seen = /** @type {any} */ ((window).tasks = []);
    new PerformanceObserver((list) =>
      seen.push(...list.getEntries().map((entry) => Math.round(entry.duration))),
    ).observe({ type: "longtask" });
  });
  const before = await colours(page);
  await stageButton(page, "ben", "kill").click();
  await until(async () => Object.keys(await colours(page)).length === Object.keys(before).length - 1);
  await until(
    async () => String(Object.values(await colours(page)).sort((a, b) => a - b)) === String(held(await house.status())),
  );
  const tasks = await page.evaluate(() => /** @type {any} */ (window).tasks);
  t.diagnostic(
    `about ${Math.round(COUNT / 5)} shards changed hands; tasks over 50 ms: ${tasks.length ? tasks.join(", ") : "none"} (ms)`,
  );
  await picture(page, "large-map-light");
  for (const view of ["timeline", "whatif"]) {
    await show(page, view);
    const drawn = await page.evaluate(async () => {
      const began = performance.now();
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return performance.now() - began;
    });
    t.diagnostic(`two frames after opening ${view}: ${drawn.toFixed(0)} ms`);
  }
  await page.locator(".moves tr[data-end]").first().waitFor({ state: "attached" });
  await page.locator('#view-whatif [aria-label="ada stays"]').uncheck();
  await page
    .locator("#view-whatif .outcome", { hasText: /would move/ })
    .filter({ hasText: /\d+ of/ })
    .waitFor();
});
