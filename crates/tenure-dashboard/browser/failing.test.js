// @ts-check
// A shard whose work fails does not look like any other: which stage it is at, how often it failed and why is said.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { browse, picture } from "./page.js";
import { ask, dashboard, folder, heard, start } from "./stage.js";

test("a_shard_whose_work_fails_says_how_often_why_and_when_it_is_tried_again", async (t) => {
  const place = ["--store", `sqlite:${join(folder(t), "tenure.db")}`, "--cluster", "orders"];
  const work = ["--", "sh", "-c", 'echo works; [ "$TENURE_SHARD" = 3 ] && exit 7; sleep 1000'];
  const ada = start(t, ["run", ...place, "--shards", "8", "--member", "ada", ...work]);
  await heard(ada, /works/);
  const page = await browse(t, await dashboard(t, place));
  const cell = page.locator("#view-map .grid .cell.failing");
  await cell.first().waitFor();
  assert.equal(await cell.count(), 1, "the others work");
  await page.locator("#sums", { hasText: "1 shard to no avail" }).waitFor();
  await cell.first().click();
  const inspector = page.locator(".inspector");
  const told = /backing off, next try (in|now).* after \d+ failures?; the last said: the command exited with status 7/;
  await inspector.filter({ hasText: told }).waitFor();
  await page.locator("tr", { hasText: "1 shard failing" }).first().waitFor({ state: "attached" });
  await picture(page, "failing-light");
});

test("what_was_done_at_the_command_line_is_told_to_whoever_looks_at_the_page", async (t) => {
  const place = ["--store", `sqlite:${join(folder(t), "tenure.db")}`, "--cluster", "orders"];
  const work = ["--", "sh", "-c", "echo works; sleep 1000"];
  const ada = start(t, ["run", ...place, "--shards", "8", "--member", "ada", ...work]);
  await heard(ada, /works/);
  ask(["drain", "ada", "--no-wait", "--json", "--why", "new disk", ...place]);
  const page = await browse(t, await dashboard(t, place));
  await page.getByText(/ada is to be drained \(.*, command line: new disk\)/).first().waitFor();
});
