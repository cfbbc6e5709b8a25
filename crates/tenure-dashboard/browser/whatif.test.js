// @ts-check
// What if: the page draws what would move, and nothing does.

import assert from "node:assert/strict";
import { test } from "node:test";

import { browse, owners } from "./page.js";
import { ask, until, up } from "./stage.js";

test("a_question_is_answered_as_the_program_answers_it_and_nothing_moves", async (t) => {
  const house = await up(t);
  const page = await browse(t, house, { view: "whatif" });
  const sum = page.locator("#view-whatif .outcome");
  await sum.filter({ hasText: "nothing would move" }).waitFor();
  const { store } = await house.picture();
  const before = await house.status();

  await page.fill(".newcomer [name=id]", "dan");
  await page.fill(".newcomer [name=weight]", "2");
  await page.click(".newcomer button[type=submit]");
  await sum.filter({ hasText: /\d+ of 64 shards would move/ }).waitFor();
  const plan = ask(["plan", "--json", "--store", store.address, "--cluster", "up", "--add", "dan:2"]);
  const then = before.holdings.map((/** @type {any} */ one) => one.owner);
  for (const { shard, to } of plan.moves) then[shard] = to;
  await until(async () => String(await owners(page, "view-whatif")) === String(then));
  assert.match((await sum.textContent()) ?? "", new RegExp(`^${plan.moves.length} of 64 shards would move`));

  await page.locator('#view-whatif tr[data-member="dan"] button').click();
  await page.locator('#view-whatif [aria-label="ben stays"]').uncheck();
  const held = before.members.find((/** @type {any} */ one) => one.id === "ben").holds.length;
  await sum.filter({ hasText: `${held} of 64 shards would move` }).waitFor();
  await page.locator('#view-whatif [aria-label="ben stays"]').check();
  await page.fill('#view-whatif [aria-label="Weight of ada"]', "6");
  await page.locator("#view-whatif .ways").waitFor();
  await page.locator('#view-whatif tr[data-member="ada"] .holds b', { hasText: "+" }).waitFor();

  await page.locator("#view-whatif button", { hasText: "Undo all changes" }).click();
  await sum.filter({ hasText: "Without a change, nothing would move" }).waitFor();
  const after = await house.status();
  assert.deepEqual(after.holdings, before.holdings);
});

test("if_everybody_goes_a_newcomer_gets_everything_and_without_one_nobody_does", async (t) => {
  const house = await up(t);
  const page = await browse(t, house, { view: "whatif" });
  await page.locator("#view-whatif .outcome", { hasText: "nothing would move" }).waitFor();
  await page.fill(".newcomer [name=id]", "cleo-2");
  await page.click(".newcomer button[type=submit]");
  await page.locator('#view-whatif tr[data-member="cleo-2"]').waitFor();
  for (const name of ["ada", "ben", "cleo"]) await page.locator(`#view-whatif [aria-label="${name} stays"]`).uncheck();
  await page.locator("#view-whatif .outcome", { hasText: "64 of 64 shards would move" }).waitFor();
  await page.locator('#view-whatif tr[data-member="cleo-2"] button').click();
  await until(async () => (await owners(page, "view-whatif")).every((owner) => owner === "nobody"));
});
