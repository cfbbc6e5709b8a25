// @ts-check
// On a small laptop no column is cut off: what can be done to a member stands at its row's end.

import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, browse, picture, show } from "./page.js";
import { up } from "./stage.js";

test("no_column_is_cut_at_1280_pixels", async (t) => {
  const house = await up(t);
  const page = await browse(t, house, { view: "members", context: { viewport: { width: 1280, height: 800 } } });
  await page.locator('tr[data-member="ada"] [data-deed="note"]').click();
  await answer(page, { text: "new disk on Tuesday; ask eve first, she knows where the spare is", why: "for the night" });
  await page.locator(".note").waitFor();
  for (const view of ["map", "members", "timeline", "health", "whatif"]) {
    await show(page, view);
    await picture(page, `1280-${view}-light`);
    const cut = await page.$$eval(`#view-${view} .wide`, (all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => [one.scrollWidth, one.clientWidth]),
    );
    assert.deepEqual(cut, [], `${view} is cut`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), view);
  }
});
