// @ts-check
// Shards are found by number, member, state and key, and stand together by what they have in common; by keys alone, too.

import assert from "node:assert/strict";
import { test } from "node:test";

import { browse, owners, picture } from "./page.js";
import { up } from "./stage.js";

const FIND = "#view-map [name=find]";

/** The shards that are not dim. @param {import("playwright-core").Page} page */
const bright = (page) =>
  page.$$eval("#view-map .cell[data-shard]:not(.dim)", (cells) =>
    cells.map((one) => Number(/** @type {HTMLElement} */ (one).dataset.shard)).sort((a, b) => a - b),
  );

test("shards_are_found_by_number_member_and_state_and_a_slash_leads_there", async (t) => {
  const house = await up(t);
  const page = await browse(t, house, { view: "members" });
  await page.keyboard.press("/");
  await page.waitForSelector("#view-map [role=gridcell]");
  await page.keyboard.type("3, 10-12");
  assert.deepEqual(await bright(page), [3, 10, 11, 12]);
  await page.keyboard.press("Enter");
  await page.waitForSelector('#view-map [data-shard="3"][aria-selected="true"]');
  assert.match(await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? ""), /^shard 3:/);

  await page.fill(FIND, "ben");
  const of = (/** @type {string} */ name, /** @type {string[]} */ all) =>
    all.flatMap((owner, shard) => (owner === name ? [shard] : []));
  const bens = of("ben", await owners(page));
  assert.ok(bens.length > 0);
  assert.deepEqual(await bright(page), bens);
  await page.locator(".found", { hasText: `${bens.length} shards: ben` }).waitFor();
  await page.fill(FIND, "unowned");
  assert.deepEqual(await bright(page), []);
  await page.locator(".found", { hasText: "0 shards: without an owner" }).waitFor();
  await page.reload();
  await page.locator(".found", { hasText: "0 shards: without an owner" }).waitFor();
  await page.fill(FIND, "");
  assert.equal((await bright(page)).length, 64);
});

test("a_key_leads_to_the_shard_that_routers_send_it_to", async (t) => {
  const house = await up(t);
  const page = await browse(t, house);
  await page.waitForSelector("#view-map [role=gridcell]");
  const { shard, owner } = await (await fetch(`${house.url}v1/owner?key=order-7`)).json();
  assert.equal(owner, (await owners(page))[shard]);
  await page.fill(FIND, "order-7");
  await page.press(FIND, "Enter");
  await page.waitForSelector(`#view-map [data-shard="${shard}"][aria-selected="true"]`);
  await page.locator(".found", { hasText: `“order-7” belongs to shard ${shard}` }).waitFor();
});

test("shards_stand_together_by_member_and_keys_walk_them_in_that_order", async (t) => {
  const house = await up(t);
  const page = await browse(t, house);
  await page.waitForSelector("#view-map [role=gridcell]");
  await page.selectOption("#view-map [name=group]", "member");
  await page.reload();
  await page.locator("#view-map .group-head").first().waitFor();
  const heads = await page.locator("#view-map .group-head").allTextContents();
  assert.deepEqual(
    heads.map((head) => head.split(" ")[0]),
    ["ada", "ben", "cleo"],
  );
  const inOrder = await owners(page);
  assert.deepEqual(inOrder, [...inOrder].sort());
  await page.locator("#view-map [data-shard]").first().focus();
  await page.keyboard.press("End");
  assert.match(await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? ""), /owned by cleo/);
  await page.selectOption("#view-map [name=group]", "state");
  assert.match((await page.locator("#view-map .group-head").first().textContent()) ?? "", /^owned · 64 shards/);
});

test("ten_thousand_shards_are_searched_and_grouped", async (t) => {
  const house = await up(t, ["--members", "5", "--shards", "10000", "--ttl", "4s"]);
  const page = await browse(t, house);
  const sheet = page.locator("canvas.sheet-of-shards");
  await sheet.waitFor();
  await page.fill(FIND, "7311");
  await page.press(FIND, "Enter");
  await page.waitForSelector('canvas[data-held="7311"]');
  assert.match((await page.locator(".inspector .facts").textContent()) ?? "", /^Shard7311/);
  await page.selectOption("#view-map [name=group]", "member");
  assert.equal(await page.locator("#view-map .group-head").count(), 5);
  await picture(page, "large-grouped-light");
  await page.fill(FIND, "cleo");
  await page.press(FIND, "Enter");
  await page.waitForFunction(() => document.querySelector(".inspector .facts")?.textContent?.includes("cleo"));
  await picture(page, "large-found-light");
  const box = await sheet.boundingBox();
  assert.ok(box);
  const before = await sheet.getAttribute("data-held");
  await page.mouse.move(box.x + 40, box.y + 60);
  assert.equal(await sheet.getAttribute("data-held"), before, "what the pointer crosses is not held");
  await page.mouse.click(box.x + 40, box.y + 60);
  await page.waitForFunction((former) => {
    const now = /** @type {HTMLElement} */ (document.querySelector("canvas.sheet-of-shards")).dataset.held;
    return now !== undefined && now !== former;
  }, before);
});
