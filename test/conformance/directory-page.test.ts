// The directory's pages in Chromium: with the keyboard, without a script, on a
// small screen; nothing is asked of other servers.
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Page,
} from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { start } from "../../src/services/directory/index.js";
import { listen, type Host } from "../../src/services/host.js";
import { memoryStore } from "../../src/services/store/open.js";
import { findChromium } from "../support/chromium.js";

const executablePath = findChromium();
const isRequired = Boolean(process.env["CI"]);
if (!executablePath && !isRequired)
  console.log("pages are not tested in a browser: there is no chromium");

describe.skipIf(!executablePath && !isRequired)("pages in Chromium", () => {
  let host: Host;
  let browser: Browser;
  beforeAll(async () => {
    if (!executablePath) throw new Error("there is no chromium");
    const service = await start({
      store: memoryStore(),
      now: Date.now,
      log: () => {},
      folder: undefined,
      config: {},
    });
    host = await listen([service]);
    browser = await chromium.launch({
      executablePath,
      args: ["--disable-dev-shm-usage"],
    });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await host?.close();
  });

  /** Opens a page; checks that no error and no request to another host occurred. */
  async function visit(
    target: string,
    look: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on("console", (message) => {
      // A 404 is also reported on the console.
      const isExpected = /status of 404/.test(message.text());
      if (message.type() === "error" && !isExpected) wrong.push(message.text());
    });
    page.on("pageerror", (error) => wrong.push(error.message));
    page.on("request", (request) => {
      if (
        !request.url().startsWith("data:") &&
        !request.url().startsWith(host.origin)
      )
        wrong.push(`asks for ${request.url()}`);
    });
    try {
      await page.goto(host.origin + target);
      await look(page);
    } finally {
      await context.close();
    }
    expect(wrong).toEqual([]);
  }

  const visible = (page: Page, selector: string): Promise<string[]> =>
    page
      .locator(`${selector}:visible`)
      .allTextContents()
      .then((all) => all.map((text) => text.trim()));

  it("has one search on the home page, which opens the API", () =>
    visit("/", async (page) => {
      expect(await visible(page, ".card h2")).toHaveLength(6);
      expect(await page.locator("input:visible").count()).toBe(1);
      await page.keyboard.press("/");
      await page.keyboard.type("chat api");
      await page.locator("#find-results [role=option]").first().waitFor();
      await page
        .locator("#find-results [role=option]", { hasText: "chat" })
        .first()
        .click();
      await page.waitForURL(/\/apis\/chat\/v1/);
    }));

  it("links from an API to a method, whose calls can be copied", () =>
    visit(
      "/",
      async (page) => {
        await page.getByRole("link", { name: "v1 of discovery" }).click();
        await page.getByRole("link", { name: "GET getRest" }).click();
        await page
          .getByRole("heading", { level: 1, name: "apis.getRest" })
          .waitFor();
        const button = page.getByRole("button", {
          name: "Copy: Generated client",
        });
        await button.click();
        await page.getByText("Copied").waitFor();
        const text = await page.evaluate("navigator.clipboard.readText()");
        expect(text).toContain(
          'const result = await discovery.apis.getRest({ api: "API", version: "VERSION" });',
        );
        await page.getByRole("link", { name: "RestDescription" }).click();
        await page
          .getByRole("heading", { level: 1, name: "RestDescription" })
          .waitFor();
        expect(await page.title()).toBe("RestDescription – API Directory");
      },
      { permissions: ["clipboard-read", "clipboard-write"] },
    ));

  it("filters methods and schemas, and hides empty resources", () =>
    visit("/apis/migration/v1", async (page) => {
      await page.locator("#q").fill("unlock");
      await page.waitForFunction(
        () =>
          document.querySelectorAll(".methods li:not([hidden])").length === 1,
      );
      expect(await visible(page, ".methods b")).toEqual(["unlockRepoForOrg"]);
      await page.locator("#q").fill("zebra");
      await page.waitForFunction(
        () => document.querySelectorAll(".resource:not([hidden])").length === 0,
      );
    }));

  it("searches without a script", () =>
    visit(
      "/",
      async (page) => {
        await page.locator("#q").fill("marketplace");
        await page.getByRole("button", { name: "Search" }).click();
        expect(page.url()).toContain("?q=marketplace");
        expect(await visible(page, ".card .name")).toEqual([
          "admin",
          "marketplace",
        ]);
        await page.getByRole("link", { name: "v1 of marketplace" }).click();
        await page.locator("#q").fill("code");
        await page.keyboard.press("Enter");
        await page.waitForURL(/q=code/);
        expect(await visible(page, ".methods b")).toContain("validation");
        expect(await page.locator("button", { hasText: "Copy" }).count()).toBe(
          0,
        );
      },
      { javaScriptEnabled: false },
    ));

  it("supports the keyboard alone", () =>
    visit("/", async (page) => {
      await page.keyboard.press("Tab");
      const focused = page.locator(":focus");
      expect(await focused.textContent()).toBe("Skip to the content");
      await page.keyboard.press("Enter");
      expect(await focused.getAttribute("id")).toBe("main");
      await page.keyboard.press("Tab");
      expect(await page.locator("main .card a:focus").count()).toBe(1);
    }));

  it.each([
    "/",
    "/apis/chat/v1",
    "/apis/chat/v1/resources/chat/completions",
    "/apis/chat/v1/tasks",
    "/apis/chat/v1/methods/chat/completions/create",
    "/apis/discovery/v1/schemas/JsonSchema",
    "/apis/nobody/v1",
  ])("%s has landmarks, one heading above all, labels, contrast", (target) =>
    visit(target, async (page) => {
      for (const role of [
        "banner",
        "navigation",
        "main",
        "contentinfo",
      ] as const)
        expect(await page.getByRole(role).count()).toBeGreaterThan(0);
      expect(await page.locator("h1").count()).toBe(1);
      const levels = await page
        .locator("h1, h2, h3")
        .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
      levels.slice(1).forEach((level, index) => {
        expect(level - levels[index]!).toBeLessThanOrEqual(1);
      });
      const ids = await page
        .locator("[id]")
        .evaluateAll((all) => all.map(({ id }) => id));
      expect(new Set(ids).size).toBe(ids.length);
      expect(await page.locator("html[lang]").count()).toBe(1);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const low = await page.evaluate(lowContrast);
        expect([colorScheme, low]).toEqual([colorScheme, []]);
      }
    }),
  );

  it.each(["/", "/apis/chat/v1/methods/chat/completions/create"])(
    "%s fits a small screen",
    (target) =>
      visit(
        target,
        async (page) => {
          const [content, screen] = await page.evaluate(() => [
            document.documentElement.scrollWidth,
            innerWidth,
          ]);
          expect(content).toBeLessThanOrEqual(screen!);
        },
        { viewport: { width: 360, height: 700 } },
      ),
  );
});

/** Finds texts with a contrast below 4.5:1 (WCAG 2.2, 1.4.3). Runs in the page. */
function lowContrast(): string[] {
  const channel = (value: number): number =>
    value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  const parse = (color: string): number[] =>
    (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = ([r = 0, g = 0, b = 0]: number[]): number =>
    0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const groundOf = (element: Element | null): number[] => {
    for (let at = element; at !== null; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor);
      if (color[3] !== 0) return color;
    }
    return [255, 255, 255];
  };
  const low = new Set<string>();
  for (const element of document.querySelectorAll("body *")) {
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === 3 && node.textContent!.trim() !== "",
    );
    if (!hasText) continue;
    const own = luminance(parse(getComputedStyle(element).color));
    const ground = luminance(groundOf(element));
    const ratio =
      (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05);
    if (ratio < 4.5)
      low.add(`${element.tagName}.${element.className} ${ratio.toFixed(2)}`);
  }
  return [...low];
}
