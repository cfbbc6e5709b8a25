// @ts-check
// Where members are reached: on the page as they say it, and by the questions that anybody may ask.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { browse, show } from "./page.js";
import { dashboard, folder, heard, start } from "./stage.js";

test("a_member_is_shown_with_the_address_that_it_says_and_a_key_leads_there", async (t) => {
  const place = ["--store", `sqlite:${join(folder(t), "tenure.db")}`, "--cluster", "orders"];
  const work = ["--", "sh", "-c", "echo works; sleep 1000"];
  const ada = start(t, ["run", ...place, "--shards", "4", "--member", "ada", "--address", "10.1.2.3:8080", ...work]);
  await heard(ada, /works/);
  const house = await dashboard(t, place);
  const page = await browse(t, house);
  await show(page, "members");
  await page.locator('[data-member="ada"] [data-what="address"]', { hasText: "10.1.2.3:8080" }).waitFor();
  const told = await (await fetch(`${house.url}v1/owner?key=order-7`)).json();
  assert.deepEqual([told.owner, told.address, told.state], ["ada", "10.1.2.3:8080", "owned"]);
});
