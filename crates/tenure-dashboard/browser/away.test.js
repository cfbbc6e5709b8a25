// @ts-check
// Blindness is said, and ends by itself: when the store is away, and when the dashboard is.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LEFT_OUT, etcd } from "./etcd.js";
import { browse, owners, picture, untilOwners } from "./page.js";
import { dashboard, heard, start, up } from "./stage.js";

test("with_the_store_killed_the_page_says_so_since_when_and_recovers_with_it", { skip: LEFT_OUT }, async (t) => {
  const store = await etcd(t);
  const place = ["--store", store.address, "--cluster", "orders"];
  for (const name of ["ada", "ben"]) {
    const member = start(t, [
      "run",
      ...place,
      "--shards",
      "16",
      "--ttl",
      "3s",
      "--member",
      name,
      "--",
      "sh",
      "-c",
      "echo works; sleep 1000",
    ]);
    await heard(member, /works/);
  }
  const house = await dashboard(t, place);
  const page = await browse(t, house);
  await page.waitForSelector("#view-map [role=gridcell]");
  assert.equal(await page.locator(".banner").count(), 0);

  await store.kill();
  const banner = page.locator(".banner", { hasText: /The store does not answer since \d\d:\d\d:\d\d/ });
  await banner.waitFor();
  assert.match((await banner.textContent()) ?? "", /as of \d\d:\d\d:\d\d/);
  assert.equal((await owners(page)).length, 16, "what was seen last is still there");
  assert.ok(await page.evaluate(() => document.body.classList.contains("stale")), "and looks old");
  await picture(page, "away-light");

  await store.start();
  await banner.waitFor({ state: "detached" });
  assert.ok(await page.evaluate(() => !document.body.classList.contains("stale")));
  await untilOwners(page, (all) => all.every((owner) => owner === "ada" || owner === "ben"));
});

test("with_the_dashboard_away_the_page_says_so_and_finds_the_next_one", async (t) => {
  const stage = await up(t);
  const { store } = await stage.picture();
  const options = ["--store", store.address, "--cluster", "up"];
  const house = await dashboard(t, options);
  const page = await browse(t, house, {
    expected: [/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/],
  });
  await page.waitForSelector("#view-map [role=gridcell]");
  await house.stop();
  const banner = page.locator(".banner", { hasText: "The dashboard does not answer since" });
  await banner.waitFor();
  const next = start(t, ["dashboard", "--listen", new URL(house.url).host, ...options]);
  await heard(next, /http:/);
  await banner.waitFor({ state: "detached" });
  assert.equal((await owners(page)).length, 64);
});
