// @ts-check
// Opens the page in a real browser, and holds it to what every page must keep: no errors in the console, nothing that the content
// security policy had to forbid, no request to anybody but the dashboard.

import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { endsFirst, until } from "./stage.js";

/** Where npm put what is needed: never in the source tree. */
const PACKAGES = process.env.BROWSER_PACKAGES ?? "";
/** Where screenshots go. */
const PICTURES = process.env.BROWSER_PICTURES ?? "";
/** @type {typeof import("playwright-core")} */
const { chromium } = createRequire(join(PACKAGES, "package.json"))("playwright-core");

const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("node:test").TestContext} Test */

/**
 * @typedef {object} How
 * @property {import("playwright-core").BrowserContextOptions} [context]
 * @property {RegExp[]} [expected] errors that the test brings about on purpose
 * @property {string} [token]
 * @property {string} [view]
 */

/** @param {Test} t @param {import("./stage.js").House} house @param {How} [how] @returns {Promise<Page>} */
export async function browse(t, house, how = {}) {
  const browser = await chromium.launch({ executablePath: PROGRAMS.find((path) => existsSync(path)), args: FLAGS });
  endsFirst(t, () => browser.close());
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, ...how.context });
  // What never comes is ended by the test runner.
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  watch(t, page, house.url, how.expected ?? []);
  const token = how.token ?? house.token;
  await page.goto(`${house.url}#${token ? `token=${token}&` : ""}${how.view ?? "map"}`);
  return page;
}

/** @param {Test} t @param {Page} page @param {string} home @param {RegExp[]} expected */
function watch(t, page, home, expected) {
  /** @type {string[]} */
  const wrongs = [];
  const wrong = (/** @type {string} */ text) => expected.some((one) => one.test(text)) || wrongs.push(text);
  page.on(
    "console",
    (message) =>
      ["error", "warning"].includes(message.type()) && wrong(`console: ${message.text()} ${message.location().url}`),
  );
  page.on("pageerror", (error) => wrong(`thrown: ${error.stack ?? error}`));
  page.on("request", (request) => request.url().startsWith(home) || wrong(`asked elsewhere: ${request.url()}`));
  page.on("dialog", (dialog) => wrong(`a dialog of a script: ${dialog.message()}`));
  void page.exposeFunction("violated", wrong);
  void page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      /** @type {any} */ (window).violated(`forbidden by policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  t.after(() => assert.deepEqual(wrongs, []));
}

/** The map as a list of owners' names, by shard. @param {Page} page @param {string} [view] @returns {Promise<string[]>} */
export const owners = (page, view = "view-map") =>
  page.$$eval(`#${view} [role=gridcell]`, (cells) =>
    cells.map((cell) => /** @type {HTMLElement} */ (cell).dataset.owner ?? ""),
  );

/** Waits until the owners on the map are as asked; the map must be shown. @param {Page} page @param {(owners: string[]) => boolean} isSo */
export async function untilOwners(page, isSo) {
  await page.waitForSelector("#view-map [role=gridcell]");
  await until(async () => isSo(await owners(page)));
}

/** Opens a view by its tab. @param {Page} page @param {string} name */
export async function show(page, name) {
  await page.click(`#tab-${name}`);
  await page.waitForSelector(`#view-${name}:not([hidden])`);
}

/** Keeps a picture of the page, for people to look at. @param {Page} page @param {string} name @param {{whole?: boolean}} [how] */
export async function picture(page, name, { whole = false } = {}) {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: whole });
}

/** A button of the playground. @param {Page} page @param {string} member @param {string} deed */
export const stageButton = (page, member, deed) =>
  page.locator(`.legend-row[data-member="${member}"] [data-deed="${deed}"]`);

/** Answers a dialog. @param {Page} page @param {Record<string, string>} answers */
export async function answer(page, answers) {
  for (const [name, value] of Object.entries(answers)) await page.fill(`dialog [name="${name}"]`, value);
  await page.click("dialog button[type=submit]");
}

/** Thinks better of it: the dialog closes, and nothing is done. @param {Page} page */
export async function escape(page) {
  await page.keyboard.press("Escape");
  // The browser tells the page of it only after the key has done its work.
  await page.waitForSelector("dialog", { state: "detached" });
}
