// @ts-check
// Acting by the page: with a token and a reason it happens and is written down; without, nothing happens.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { answer, browse, escape, owners, show, untilOwners } from "./page.js";
import { LEASE, dashboard, folder, until, up } from "./stage.js";

/** @param {import("playwright-core").Page} page @param {string} member @param {string} deed */
const button = (page, member, deed) => page.locator(`tr[data-member="${member}"] [data-deed="${deed}"]`);

test("a_member_is_drained_with_a_reason_and_that_is_undone", async (t) => {
  const house = await up(t);
  const page = await browse(t, house, { view: "members" });
  await button(page, "ben", "drain").click();
  await page.click("dialog button[type=submit]");
  assert.equal(await page.locator("dialog").count(), 1, "a reason is asked for, and nothing is done without one");
  await answer(page, { why: "new disk" });
  await page.locator('tr[data-member="ben"] .badge.drained').waitFor();
  await show(page, "map");
  await untilOwners(page, (all) => !all.includes("ben") && !all.includes("nobody"));
  await page.locator(".log li", { hasText: "ben is to be drained" }).filter({ hasText: "new disk" }).waitFor();
  const drained = (await house.status()).members.find((/** @type {any} */ one) => one.id === "ben");
  assert.deepEqual([drained.state, drained.holds], ["drained", []], "the store says the same");

  await show(page, "members");
  await button(page, "ben", "undo").click();
  await answer(page, { why: "disk is in" });
  await button(page, "ben", "drain").waitFor();
  await show(page, "map");
  await untilOwners(page, (all) => all.includes("ben"));
});

test("a_note_is_kept_for_whoever_looks_next_and_a_shard_is_moved_by_hand", async (t) => {
  const house = await up(t);
  const page = await browse(t, house, { view: "members" });
  await button(page, "ada", "note").click();
  await answer(page, { text: "ask eve first", why: "for the night shift" });
  await page.locator('tr[data-member="ada"] .note', { hasText: "ask eve first" }).waitFor();
  const other = await browse(t, house, { view: "members", token: "" });
  await other.locator('tr[data-member="ada"] .note', { hasText: "ask eve first" }).waitFor();

  await show(page, "map");
  await untilOwners(page, (all) => all.includes("cleo"));
  const shard = (await owners(page)).indexOf("cleo");
  await page.locator(`#view-map [data-shard="${shard}"]`).click();
  await page.locator(".inspector button", { hasText: "Move" }).click();
  await page.selectOption("dialog [name=to]", "ada");
  await answer(page, { why: "hot" });
  await page.locator(".log li", { hasText: `Shard ${shard} is promised to ada` }).waitFor();
});

test("a_fenced_member_stops_and_is_kept_out", async (t) => {
  const house = await up(t, LEASE);
  const page = await browse(t, house, { view: "members" });
  await button(page, "cleo", "fence").click();
  await escape(page);
  await button(page, "cleo", "fence").click();
  await answer(page, { why: "renews, but does no work" });
  await show(page, "map");
  await untilOwners(page, (all) => !all.includes("cleo") && !all.includes("nobody"));
  await page.locator(".log li", { hasText: "cleo is fenced" }).waitFor();
});

test("without_a_token_the_page_only_shows_and_with_a_wrong_one_nothing_happens", async (t) => {
  const stage = await up(t);
  const { store } = await stage.picture();
  const place = folder(t);
  const [tokens, audit] = [join(place, "tokens"), join(place, "audit.jsonl")];
  writeFileSync(tokens, "eve 0123456789abcdef0123\n", { mode: 0o600 });
  const house = await dashboard(t, [
    "--store",
    store.address,
    "--cluster",
    "up",
    "--token-file",
    tokens,
    "--audit-log",
    audit,
  ]);
  const page = await browse(t, house, { view: "members", expected: [/401/] });
  await page.locator('tr[data-member="ben"]').waitFor();
  assert.equal(await page.locator("#token-button").textContent(), "Read-only: give token …");
  assert.equal(await button(page, "ben", "drain").isVisible(), false);

  await page.click("#token-button");
  await answer(page, { token: "not-the-token-at-all" });
  await page.locator("dialog .refusal", { hasText: /token/ }).waitFor();
  await escape(page);
  assert.match((await page.locator("#token-button").textContent()) ?? "", /^Read-only/, "a wrong one is not kept");

  const wrong = await browse(t, house, { view: "members", token: "wrong-wrong-wrong-wrong", expected: [/401/] });
  assert.doesNotMatch(wrong.url(), /token/, "it is out of the address");
  await wrong.locator('tr[data-member="ben"]').waitFor();
  await wrong.locator('#token-button[title^="The token at hand is refused"]').waitFor();
  assert.equal(await button(wrong, "ben", "drain").isVisible(), false, "nothing is offered that would be refused");
  const { members } = await house.status();
  assert.deepEqual(
    members.map((/** @type {any} */ one) => one.state),
    ["active", "active", "active"],
    "nothing happened",
  );

  await page.click("#token-button");
  assert.equal(await page.locator("dialog button[type=submit]").textContent(), "Use this token");
  await answer(page, { token: "0123456789abcdef0123" });
  await page.locator(".toast", { hasText: "You act as eve" }).waitFor();
  await button(page, "ben", "drain").click();
  await answer(page, { why: "new disk" });
  await page.locator('tr[data-member="ben"] .badge.drained').waitFor();
  await until(() => readFileSync(audit, "utf8").includes("new disk"));
  assert.match(readFileSync(audit, "utf8"), /"who":"eve"/);
});

test("a_person_is_offered_what_the_role_allows", async (t) => {
  const stage = await up(t);
  const { store } = await stage.picture();
  const tokens = join(folder(t), "tokens");
  const people = { eve: "admin", oscar: "operator", vera: "viewer" };
  const secret = (/** @type {string} */ name) => `${name}-0123456789abcdef`;
  const lines = Object.entries(people).map(([name, role]) => `${name} ${secret(name)} role=${role}`);
  writeFileSync(tokens, `${lines.join("\n")}\n`, { mode: 0o600 });
  const house = await dashboard(t, ["--store", store.address, "--cluster", "up", "--token-file", tokens]);

  const eve = await browse(t, house, { view: "members", token: secret("eve") });
  await eve.locator('#token-button[title="You act as eve, admin"]').waitFor();
  assert.equal(await button(eve, "ben", "fence").isEnabled(), true);

  const oscar = await browse(t, house, { view: "members", token: secret("oscar") });
  await oscar.locator('#token-button[title="You act as oscar, operator"]').waitFor();
  assert.equal(await button(oscar, "ben", "drain").isEnabled(), true);
  assert.equal(await button(oscar, "ben", "fence").isEnabled(), false);
  const why = await button(oscar, "ben", "fence").getAttribute("title");
  assert.equal(why, "Fencing needs the role admin; you are operator");

  const vera = await browse(t, house, { view: "members", token: secret("vera") });
  await vera.locator('#token-button[title="vera is viewer, and may only look"]').waitFor();
  assert.equal(await button(vera, "ben", "drain").isVisible(), false);
});

test("a_private_dashboard_shows_nothing_until_a_token_is_given", async (t) => {
  const stage = await up(t);
  const { store } = await stage.picture();
  const tokens = join(folder(t), "tokens");
  writeFileSync(tokens, "ann 0123456789abcdef0123 role=viewer\n", { mode: 0o600 });
  const options = ["--store", store.address, "--cluster", "up", "--token-file", tokens, "--private"];
  const house = await dashboard(t, options);
  const page = await browse(t, house, { view: "members", expected: [/401/, /403/] });
  await page.locator(".banner", { hasText: "needs a token" }).waitFor();
  assert.equal(await page.locator('tr[data-member="ben"]').count(), 0);

  await page.click("#token-button");
  await answer(page, { token: "0123456789abcdef0123" });
  await page.locator(".toast", { hasText: "You look as ann" }).waitFor();
  await page.locator('tr[data-member="ben"]').waitFor();
  await page.locator('#token-button[title="ann is viewer, and may only look"]').waitFor();
  assert.equal(await button(page, "ben", "drain").isVisible(), false);
});
