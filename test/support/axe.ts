// Accessibility checks of pages with axe.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/**
 * Runs axe in a page, outside of the page's content security policy, and
 * returns a line for each violation.
 */
export async function axeViolations(page: Page): Promise<unknown> {
  await page.evaluate(axe);
  return page.evaluate(
    "axe.run({ preload: false }).then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`))",
  );
}
