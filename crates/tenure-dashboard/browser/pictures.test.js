// @ts-check
// Pictures of every view, light and dark, for people to look at: they are written to target/screenshots.

import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, browse, picture, show, stageButton, untilOwners } from "./page.js";
import { pause, up } from "./stage.js";

const VIEWS = ["map", "members", "timeline", "health", "whatif"];

test("every_view_has_its_picture_light_and_dark", async (t) => {
  const house = await up(t, ["--members", "5", "--ttl", "3s"]);
  const page = await browse(t, house, { view: "members" });
  await page.locator('tr[data-member="ada"] [data-deed="note"]').click();
  await answer(page, { text: "new disk on Tuesday, ask eve first", why: "for the night shift" });
  await pause(6000);
  await show(page, "map");
  await stageButton(page, "cleo", "kill").click();
  await untilOwners(page, (all) => all.length === 64 && !all.includes("cleo") && !all.includes("nobody"));
  await pause(1500);
  await picture(page, "playground-light");
  await page.click("#theme-button");
  await picture(page, "playground-dark");
  await page.click("#theme-button");
  await pause(3000);
  await stageButton(page, "dan", "freeze").click();
  await untilOwners(page, (all) => !all.includes("dan") && !all.includes("nobody"));
  await stageButton(page, "cleo", "start").click();
  await untilOwners(page, (all) => all.includes("cleo"));
  await show(page, "members");
  await page.locator('tr[data-member="ben"] [data-deed="drain"]').click();
  await picture(page, "dialog-light");
  await answer(page, { why: "kernel update" });
  await show(page, "map");
  await untilOwners(page, (all) => !all.includes("ben"));
  await stageButton(page, "eve", "freeze").click();
  await pause(2500);
  await show(page, "whatif");
  await page.fill(".newcomer [name=id]", "fred");
  await page.fill(".newcomer [name=weight]", "2");
  await page.click(".newcomer button[type=submit]");
  await page.locator("#view-whatif .outcome", { hasText: "would move" }).waitFor();
  for (const theme of ["light", "dark"]) {
    for (const view of VIEWS) {
      await show(page, view);
      await page.mouse.move(2, 2);
      await pause(400);
      await picture(page, `${view}-${theme}`);
    }
    await page.click("#theme-button");
  }
  assert.equal(await page.locator("#theme-button").textContent(), "Dark", "back where it began");
});

test("sixteen_shards_are_large_and_a_thousand_still_have_letters", async (t) => {
  for (const count of [16, 1000]) {
    const house = await up(t, ["--shards", String(count), "--members", count > 100 ? "9" : "3"]);
    const page = await browse(t, house);
    await page.waitForSelector("#view-map [role=gridcell]");
    assert.equal(await page.locator("#view-map [role=gridcell]").count(), count);
    const named = await page.$$eval(".legend-row", (rows) =>
      rows.map((row) => [row.getAttribute("data-member")?.[0].toUpperCase(), row.querySelector(".swatch")?.textContent]),
    );
    assert.ok(named.length > 2);
    for (const [initial, letter] of named) assert.equal(letter, initial, "no two of them begin alike");
    await picture(page, `map-of-${count}-light`);
  }
});
