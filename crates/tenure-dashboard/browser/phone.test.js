// @ts-check
// On a phone nothing sticks out sideways, and a touch tells what a pointer would.

import assert from "node:assert/strict";
import { test } from "node:test";

import { browse, picture, show } from "./page.js";
import { up } from "./stage.js";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

test("every_view_fits_on_a_phone_and_a_touch_tells_of_a_shard", async (t) => {
  const house = await up(t);
  const page = await browse(t, house, { context: PHONE });
  await page.waitForSelector("#view-map [role=gridcell]");
  await page.locator('#view-map [data-shard="9"]').tap();
  assert.match((await page.locator(".inspector").textContent()) ?? "", /Shard9/);
  for (const view of ["map", "members", "timeline", "health", "whatif"]) {
    await show(page, view);
    const { wide, room } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      room: innerWidth,
    }));
    assert.ok(wide <= room, `${view} is ${wide} wide, and there is room for ${room}`);
    await picture(page, `phone-${view}`);
  }
});
