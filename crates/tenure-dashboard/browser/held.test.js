// @ts-check
// What is chosen stays chosen: whatever the pointer crosses, whatever happens, and after the page was loaded again.

import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, browse, owners, stageButton, untilOwners } from "./page.js";
import { up } from "./stage.js";

/** @param {import("playwright-core").Page} page @param {number} shard */
const cell = (page, shard) => page.locator(`#view-map [data-shard="${shard}"]`);

/** The shards that the map shows as chosen. @param {import("playwright-core").Page} page */
const held = (page) =>
  page.$$eval("#view-map [aria-selected=true]", (cells) =>
    cells.map((one) => Number(/** @type {HTMLElement} */ (one).dataset.shard)),
  );

test("a_click_holds_a_shard_and_what_the_pointer_crosses_on_its_way_is_not_moved", async (t) => {
  const house = await up(t);
  const page = await browse(t, house);
  await untilOwners(page, (all) => all.includes("cleo"));
  const shard = (await owners(page)).indexOf("cleo");
  await cell(page, shard).click();
  for (const crossed of [62, 63, 48]) if (crossed !== shard) await cell(page, crossed).hover();
  assert.match((await page.locator(".inspector .facts").textContent()) ?? "", new RegExp(`^Shard${shard}Owner`));
  assert.match((await page.locator(".inspector .hint").textContent()) ?? "", /^shard 48:/, "the other is told beside it");
  await page.locator(".inspector button", { hasText: "Move" }).click();
  assert.equal(await page.locator("dialog h2").textContent(), `Move shard ${shard}?`);
  await page.selectOption("dialog [name=to]", "ada");
  await answer(page, { why: "hot" });
  await page.locator(".log li", { hasText: `Shard ${shard} is promised to ada` }).waitFor();
});

test("without_a_shard_that_is_held_nothing_can_be_moved", async (t) => {
  const house = await up(t);
  const page = await browse(t, house);
  await page.waitForSelector("#view-map [role=gridcell]");
  await cell(page, 9).hover();
  assert.match((await page.locator(".inspector .facts").textContent()) ?? "", /^Shard9/);
  assert.equal(await page.locator(".inspector button", { hasText: "Move" }).isVisible(), false);
});

test("what_is_held_is_in_the_address_and_survives_news_and_loading_again", async (t) => {
  const house = await up(t, ["--ttl", "4s"]);
  const page = await browse(t, house);
  await page.waitForSelector("#view-map [role=gridcell]");
  await cell(page, 9).click();
  await page.locator('.legend-row[data-member="ada"] .legend-face').click();
  assert.equal(new URL(page.url()).hash, "#map&shard=9&member=ada");
  await stageButton(page, "ben", "kill").click();
  await untilOwners(page, (all) => !all.includes("ben") && !all.includes("nobody"));
  await stageButton(page, "ben", "start").click();
  await untilOwners(page, (all) => all.includes("ben"));

  const isAsBefore = async () => {
    await page.waitForSelector('#view-map [aria-selected="true"]');
    assert.deepEqual(await held(page), [9]);
    assert.match((await page.locator(".inspector .facts").textContent()) ?? "", /^Shard9/);
    const face = page.locator('.legend-row[data-member="ada"] .legend-face');
    assert.equal(await face.getAttribute("aria-pressed"), "true");
    const dim = await page.$$eval("#view-map .cell.dim", (cells) =>
      cells.map((one) => /** @type {HTMLElement} */ (one).dataset.owner),
    );
    assert.ok(dim.length > 0 && !dim.includes("ada"));
  };
  await isAsBefore();
  await page.reload();
  await isAsBefore();
  await page.evaluate(() => (location.hash = "#map&shard=17"));
  await page.waitForSelector('#view-map [data-shard="17"][aria-selected="true"]');
  assert.deepEqual(await held(page), [17], "an address that somebody was sent shows what it says");
});

test("enter_holds_and_escape_lets_go", async (t) => {
  const house = await up(t);
  const page = await browse(t, house);
  await page.waitForSelector("#view-map [role=gridcell]");
  await cell(page, 0).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await held(page), [1]);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Move …");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Escape");
  assert.deepEqual(await held(page), []);
  assert.equal(new URL(page.url()).hash, "#map");
});

test("an_address_that_makes_no_sense_chooses_nothing_and_hurts_nothing", async (t) => {
  const house = await up(t);
  const page = await browse(t, house, {
    view: "nowhere&shard=64&member=%E0%A4%A&group=constructor&find=%3Cimg%20src=x%20onerror=hurt%3E&__proto__=1",
  });
  await page.waitForSelector("#view-map [role=gridcell]");
  assert.deepEqual(await held(page), []);
  assert.equal(await page.locator("#view-map .cell.dim").count(), 0);
  assert.equal(await page.locator("#view-map .group-head").count(), 0);
  assert.equal(await page.locator(".found").textContent(), "Enter finds the shard of the key “<img src=x onerror=hurt>”");
  await page.locator("#view-map [name=find]").press("Enter");
  await page.waitForSelector('#view-map [aria-selected="true"]');
  assert.equal((await held(page)).length, 1, "anything is a key");
});

test("a_highlighted_member_that_ends_leaves_no_dim_map_behind", async (t) => {
  const house = await up(t, ["--ttl", "4s"]);
  const page = await browse(t, house);
  await untilOwners(page, (all) => all.includes("ben"));
  const dim = () => page.locator("#view-map .cell.dim").count();
  for (const hold of [false, true]) {
    const face = page.locator('.legend-row[data-member="ben"] .legend-face');
    await (hold ? face.click() : face.hover());
    assert.ok((await dim()) > 0);
    const asked = { method: "POST", headers: { Authorization: `Bearer ${house.token}`, "Content-Type": "application/json" } };
    const play = (/** @type {string} */ deed) =>
      fetch(`${house.url}api/v1/playground/members/ben/${deed}`, { ...asked, body: "{}" });
    assert.equal((await play("kill")).status, 200);
    await untilOwners(page, (all) => !all.includes("ben") && !all.includes("nobody"));
    await page.waitForFunction(() => document.querySelectorAll("#view-map .cell.dim").length === 0);
    assert.equal((await play("start")).status, 200);
    await untilOwners(page, (all) => all.includes("ben"));
  }
});
