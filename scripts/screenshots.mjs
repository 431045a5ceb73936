// Writes screenshots of the reference site to docs/images/: phone and desktop,
// light and dark. Usage: node scripts/screenshots.mjs; needs Chromium (CHROMIUM).
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { smallPng } from "./small-png.mjs";

/** Limit of all images together, in bytes. */
const LIMIT = 450_000;

const root = fileURLToPath(new URL("..", import.meta.url));
const images = path.join(root, "docs/images");
const phone = { width: 390, height: 780 };
const desktop = { width: 1280, height: 760 };
const METHOD = "apis/migration/v1/migrations.html#m-startForOrg";

/** File, page, size of the window, color scheme, and what to do before. */
const SHOTS = [
  ["site-home-light", "index.html", desktop, "light"],
  ["site-search-dark", "index.html", desktop, "dark", search],
  ["site-overview-light", "apis/chat/v1/index.html", desktop, "light"],
  ["site-method-light", METHOD, desktop, "light"],
  ["site-method-dark", METHOD, desktop, "dark", chooseCurl],
  ["site-body-light", METHOD, desktop, "light", openBody],
  ["site-tasks-light", "apis/migration/v1/tasks.html", desktop, "light"],
  ["site-schemas-dark", "apis/chat/v1/schemas.html", desktop, "dark"],
  ["site-phone-light", METHOD, phone, "light", openForm],
  ["site-phone-dark", METHOD, phone, "dark", openMenu],
];

/** Returns the method that METHOD refers to. */
function methodOf(page) {
  return page.locator(".method:has(#m-startForOrg)");
}

async function chooseCurl(page) {
  await methodOf(page).getByRole("tab", { name: "curl" }).click();
  // The border of the tab changes slowly.
  await page.waitForTimeout(300);
}

async function openBody(page) {
  await page.locator("[data-request] .expand").first().click();
  await page.locator(".tree").first().waitFor();
}

async function openMenu(page) {
  await page.locator("label.menu").click();
}

/** Opens the form of a method. */
async function openForm(page) {
  await methodOf(page).locator(".try summary").click();
  await methodOf(page)
    .locator(".try")
    .evaluate((box) => box.scrollIntoView());
}

/** Searches for a method. */
async function search(page) {
  await page.locator("#find-text").fill("migrations list");
  await page.locator("#find-results [role=option]").first().waitFor();
}

const work = mkdtempSync(path.join(tmpdir(), "gen-screenshots-"));
try {
  const site = path.join(work, "site");
  const gen = path.join(root, "bin/gen.js");
  const args = ["docs", "--spec", path.join(root, "specs"), "--out", site];
  execFileSync(process.execPath, [
    gen,
    ...args,
    "--try-it",
    "https://migration.example.com",
  ]);
  mkdirSync(images, { recursive: true });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  let bytes = 0;
  for (const [name, target, viewport, colorScheme, prepare] of SHOTS) {
    const page = await browser.newPage({ viewport, colorScheme });
    await page.goto(`${pathToFileURL(site).href}/${target}`);
    await prepare?.(page);
    const file = path.join(images, `${name}.png`);
    const image = smallPng(await page.screenshot());
    writeFileSync(file, image);
    bytes += image.length;
    await page.close();
  }
  await browser.close();
  console.log(`${SHOTS.length} images, ${bytes} bytes`);
  if (bytes > LIMIT)
    throw new Error(`the images must have at most ${LIMIT} bytes`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
