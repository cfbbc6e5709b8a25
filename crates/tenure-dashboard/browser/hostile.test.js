// @ts-check
// Whatever members, files and people say is text: markup in it is shown, and does nothing.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { answer, browse, show } from "./page.js";
import { PROGRAM, dashboard, folder, heard, start, until } from "./stage.js";

const EVIL = '<script>window.hurt=1</script><img src=x onerror="window.hurt=1">';

test("markup_in_a_zone_a_note_a_reason_or_a_path_is_shown_and_does_nothing", async (t) => {
  assert.ok(PROGRAM);
  const place = join(folder(t), "<script>window.hurt=1<", "script>");
  mkdirSync(place, { recursive: true });
  const store = `sqlite:${join(place, "<img src=x onerror=hurt>.db")}`;
  const tokens = join(place, "tokens");
  writeFileSync(tokens, "eve 0123456789abcdef0123\n", { mode: 0o600 });
  const member = start(t, [
    "run",
    "--store",
    store,
    "--cluster",
    "orders",
    "--shards",
    "4",
    "--member",
    "eve",
    "--zone",
    EVIL,
    "--",
    "sh",
    "-c",
    "echo up; sleep 1000",
  ]);
  await heard(member, /up/);
  const house = await dashboard(
    t,
    ["--store", store, "--cluster", "orders", "--token-file", tokens],
    "0123456789abcdef0123",
  );
  const page = await browse(t, house, { view: "members" });
  const row = page.locator('tr[data-member="eve"]');
  assert.equal(await row.locator(".for-zone").textContent(), EVIL);

  await row.locator('[data-deed="note"]').click();
  await answer(page, { text: EVIL, why: EVIL });
  await row.locator(".note", { hasText: EVIL }).waitFor();
  await page.locator(".log li", { hasText: EVIL }).first().waitFor();
  for (const view of ["map", "timeline", "health", "whatif", "members"]) await show(page, view);
  await page.click("#tab-map");
  await until(async () => ((await page.locator("#store").textContent()) ?? "").includes("onerror=hurt"));

  const found = await page.evaluate(() => ({
    hurt: /** @type {any} */ (window).hurt,
    scripts: document.querySelectorAll("body script").length,
    images: [...document.images].map((image) => image.getAttribute("src")),
    bold: document.querySelectorAll(".log b").length,
  }));
  assert.deepEqual(found, { hurt: undefined, scripts: 0, images: ["assets/icon.svg"], bold: 0 });
});
