// The site of gen docs in Chromium, opened from files and from a stock server:
// search, keyboard, sizes of screens, accessibility (axe), hostile text under
// its content security policy.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Page,
} from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateSite } from "../../src/site/static/build-site.js";
import { axeViolations } from "../support/axe.js";
import { findChromium } from "../support/chromium.js";
import { ROOT } from "../support/paths.js";

const HOSTILE = `</title></code><script>alert(1)</script><img src=x onerror=alert(1)>"'`;

const executablePath = findChromium();
const isRequired = Boolean(process.env["CI"]);
if (!executablePath && !isRequired)
  console.log("the site is not tested in a browser: Chromium is missing");

/** Document with hostile text in names and descriptions. */
const hostile = {
  kind: "discovery#restDescription",
  name: "hostile",
  version: "v1",
  title: HOSTILE,
  description: HOSTILE,
  rootUrl: "https://example.com/",
  servicePath: "",
  schemas: { [HOSTILE]: { id: HOSTILE, type: "object", description: HOSTILE } },
  resources: {
    [HOSTILE]: {
      methods: {
        get: { id: "hostile.get", path: "x", description: HOSTILE },
      },
    },
  },
};

const PAGES = [
  "index.html",
  "apis/migration/v1/index.html",
  "apis/migration/v1/migrations.html",
  "apis/migration/v1/schemas.html",
  "apis/migration/v1/tasks.html",
  "apis/hostile/v1/index.html",
  "apis/hostile/v1/schemas.html",
];

describe.skipIf(!executablePath && !isRequired)("a site in Chromium", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "gen-site-"));
  const site = path.join(folder, "site");
  let browser: Browser;
  let server: Server;
  beforeAll(async () => {
    mkdirSync(path.join(folder, "specs"));
    writeFileSync(
      path.join(folder, "specs/hostile.json"),
      JSON.stringify(hostile),
    );
    const specs = [path.join(ROOT, "specs"), "specs"];
    const content = { tryOrigins: ["self"] };
    const { diagnostics } = await generateSite(specs, "site", folder, content);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual(
      [],
    );
    server = createServer((request, response) => {
      const file = path.join(site, new URL(request.url!, "http://x").pathname);
      const type = { ".html": "text/html", ".css": "text/css" }[
        path.extname(file)
      ];
      response.setHeader("content-type", type ?? "text/javascript");
      response.end(readFileSync(file));
    }).listen(0, "127.0.0.1");
    browser = await chromium.launch({
      executablePath: executablePath!,
      args: ["--disable-dev-shm-usage", "--no-sandbox"],
    });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const origins = [
    ["files", () => `${pathToFileURL(site).href}/`],
    [
      "a server",
      () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    ],
  ] as const;

  /** Opens a page; fails if it reports an error or loads anything else. */
  async function visit(
    url: string,
    look: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") wrong.push(message.text());
    });
    page.on("pageerror", (error) => wrong.push(error.message));
    page.on("dialog", (dialog) => {
      wrong.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    const base =
      url === "about:blank"
        ? origins[1][1]()
        : url.slice(0, url.indexOf("/", 8));
    page.on("request", (request) => {
      if (!request.url().startsWith("data:") && !request.url().startsWith(base))
        wrong.push(`loads ${request.url()}`);
    });
    try {
      await page.goto(url);
      await look(page);
    } finally {
      await context.close();
    }
    expect(wrong).toEqual([]);
  }

  it.each(origins)("finds methods with the keyboard, from %s", (_, origin) =>
    visit(`${origin()}apis/chat/v1/index.html`, async (page) => {
      await page.locator("#find-text").fill("startForOrg");
      await page.locator("#find-results [role=option]").first().waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL(/migration\/v1\/migrations\.html#m-startForOrg$/);
      await page.getByText("startForOrg").first().waitFor();
    }),
  );

  const METHODS = "apis/migration/v1/migrations.html";

  it.each(origins)(
    "shows samples as tabs that stay chosen, from %s",
    (_, origin) =>
      visit(origin() + METHODS, async (page) => {
        const first = page.locator(".samples").first();
        const tabs = first.getByRole("tab");
        expect(await tabs.allTextContents()).toEqual([
          "Generated client",
          "curl",
          "Python",
          "Go",
          "Node.js",
        ]);
        await tabs.first().focus();
        await page.keyboard.press("ArrowLeft");
        const panel = first.locator("[role=tabpanel]:visible");
        expect(await panel.locator("code").textContent()).toContain("fetch(");
        expect(await panel.locator(".t-keyword").count()).toBeGreaterThan(0);
        await page.goto(`${origin()}apis/chat/v1/chat.completions.html`);
        const chosen = page.locator("[role=tab][aria-selected=true]").first();
        expect(await chosen.textContent()).toBe("Node.js");
      }),
  );

  it("prints samples with the values of the form", () =>
    visit(origins[0][1]() + METHODS, async (page) => {
      const method = page
        .locator(".method")
        .filter({ has: page.locator("#m-getStatusForOrg") });
      await method.locator(".try summary").click();
      await method.locator("[data-name=org]").fill("a b/c");
      await method.getByRole("tab", { name: "curl" }).click();
      const panel = method.locator("[data-language=curl]");
      expect(await panel.locator("code").textContent()).toContain("a%20b%2Fc");
    }));

  it.each(origins)(
    "shows the properties of a body in place, from %s",
    (_, origin) =>
      visit(origin() + METHODS, async (page) => {
        const method = page
          .locator(".method")
          .filter({ has: page.locator("#m-startForOrg") });
        const button = method.locator("[data-request] .expand");
        await button.click();
        const tree = method.locator("[data-request] > .tree");
        await tree.waitFor();
        expect(await tree.locator("li").count()).toBeGreaterThan(1);
        expect(await tree.textContent()).toContain("repositories");
        expect(await axeViolations(page)).toEqual([]);
        await button.click();
        expect(await tree.isVisible()).toBe(false);
      }),
  );

  it("marks the method at the top of the window in the navigation", () =>
    visit(`${origins[0][1]()}${METHODS}#m-startForUser`, async (page) => {
      await page.locator(".aside [aria-current=location]").waitFor();
      await page.evaluate("scrollTo(0, document.body.scrollHeight)");
      const last = page.locator(".method h2").last();
      const name = (await last.textContent())!.trim().split(".").at(-1)!;
      await page
        .locator(".aside [aria-current=location]", { hasText: name })
        .waitFor();
    }));

  it("says that nothing was found, and opens the search with /", () =>
    visit(`${origins[0][1]()}index.html`, async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("zebra crossing");
      await page.getByText("Nothing found for").waitFor();
    }));

  it("lists results without accessibility violations", () =>
    visit(`${origins[0][1]()}index.html`, async (page) => {
      await page.locator("#find-text").fill("list");
      await page.locator("#find-results [role=option]").first().waitFor();
      await page.keyboard.press("ArrowDown");
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await axeViolations(page), colorScheme).toEqual([]);
      }
    }));

  it("has no accessibility violations with an open form and open texts", () =>
    visit(origins[0][1]() + METHODS, async (page) => {
      for (const button of await page.locator(".expand").all())
        await button.click();
      await page.locator(".tree").first().waitFor();
      await page.evaluate(
        "for (const one of document.querySelectorAll('details')) one.open = true",
      );
      expect(await axeViolations(page)).toEqual([]);
    }));

  it.each([
    ["a desktop", { width: 1280, height: 760 }],
    ["a phone", { width: 390, height: 780 }],
  ])("does not shift on %s when the script arrives", async (_, viewport) => {
    for (const name of [METHODS, "index.html", "apis/chat/v1/index.html"])
      await visit(
        "about:blank",
        async (page) => {
          // The script arrives after the first paint, as on a slow connection.
          await page.route("**/script.js", async (route) => {
            const isPainted =
              "performance.getEntriesByName('first-contentful-paint').length > 0";
            for (let at = 0; at < 100; at++) {
              if (await page.evaluate(isPainted)) break;
              await page.waitForTimeout(50);
            }
            await route.continue();
          });
          await page.goto(origins[1][1]() + name);
          await page.locator("#find:not([hidden])").waitFor();
          const shift = await page.evaluate(
            `new Promise((resolve) => new PerformanceObserver((list) =>
              resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0)))
              .observe({ type: "layout-shift", buffered: true }) ??
              setTimeout(() => resolve(0), 500))`,
          );
          expect(shift, name).toBeLessThanOrEqual(0.02);
        },
        { viewport },
      );
  });

  it.each(PAGES)("%s has landmarks and one main heading", (name) =>
    visit(origins[0][1]() + name, async (page) => {
      for (const role of [
        "banner",
        "navigation",
        "main",
        "contentinfo",
        "search",
      ] as const)
        expect(await page.getByRole(role).count(), role).toBeGreaterThan(0);
      expect(await page.locator("h1").count()).toBe(1);
      await page.keyboard.press("Tab");
      const outline = await page
        .locator(":focus")
        .evaluate((one) => getComputedStyle(one).outlineStyle);
      expect(outline).not.toBe("none");
    }),
  );

  it("has a menu on a phone, also without scripts", () =>
    visit(
      origins[0][1]() + METHODS,
      async (page) => {
        expect(await page.locator(".aside").isVisible()).toBe(false);
        await page.locator("label.menu").click();
        expect(await page.locator(".aside").isVisible()).toBe(true);
        expect(await page.locator("pre:visible").count()).toBeGreaterThan(3);
      },
      { viewport: { width: 390, height: 844 }, javaScriptEnabled: false },
    ));

  it.each(PAGES)("%s has no accessibility violations", (name) =>
    visit(origins[0][1]() + name, async (page) => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await axeViolations(page), colorScheme).toEqual([]);
      }
    }),
  );

  it.each(PAGES)("%s fits on a phone", (name) =>
    visit(
      origins[0][1]() + name,
      async (page) => {
        expect(
          await page.evaluate(
            "document.documentElement.scrollWidth <= innerWidth",
          ),
        ).toBe(true);
      },
      { viewport: { width: 390, height: 844 } },
    ),
  );
});
