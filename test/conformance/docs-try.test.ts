// Forms of method pages in Chromium: what is sent, where credentials remain,
// what the content security policy permits, hostile text, keyboard, phones, axe.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { start } from "../../src/services/directory/index.js";
import { listen, type Host } from "../../src/services/host.js";
import { memoryStore } from "../../src/services/store/open.js";
import { generateSite } from "../../src/site/static/build-site.js";
import { axeViolations } from "../support/axe.js";
import { findChromium } from "../support/chromium.js";

const HOSTILE = `</title></textarea><script>alert(1)</script><img src=x onerror=alert(1)>"'`;

const executablePath = findChromium();
const isRequired = Boolean(process.env["CI"]);
if (!executablePath && !isRequired)
  console.log("forms are not tested in a browser: Chromium is missing");

/** Document with a method for each kind of field, and one with hostile text. */
function documentOf(rootUrl: string): object {
  const scopes = ["https://example.com/scope"];
  return {
    kind: "discovery#restDescription",
    name: "shop",
    version: "v1",
    title: "Shop",
    rootUrl,
    servicePath: "shop/",
    auth: { oauth2: { scopes: { [scopes[0]!]: { description: "All." } } } },
    schemas: {
      Book: {
        id: "Book",
        type: "object",
        properties: { title: { type: "string" } },
      },
    },
    resources: {
      books: {
        methods: {
          update: {
            id: "shop.books.update",
            path: "v1/{+name}/items/{id}",
            flatPath: "v1/books/{booksId}/items/{id}",
            httpMethod: "PATCH",
            scopes,
            parameters: {
              name: { type: "string", location: "path", required: true },
              id: { type: "string", location: "path", required: true },
              force: { type: "boolean", location: "query" },
              mode: {
                type: "string",
                enum: ["FAST", "SLOW"],
                location: "query",
              },
              tag: { type: "string", repeated: true, location: "query" },
              q: { type: "string", location: "query" },
            },
            request: { $ref: "Book" },
            response: { $ref: "Book" },
          },
        },
      },
      [HOSTILE]: {
        methods: {
          get: {
            id: "shop.hostile",
            path: HOSTILE,
            httpMethod: "GET",
            scopes,
            parameters: {
              [HOSTILE]: { type: HOSTILE, enum: [HOSTILE], location: HOSTILE },
            },
            request: { $ref: "Book" },
          },
        },
      },
    },
  };
}

async function serve(handle: RequestListener): Promise<[Server, string]> {
  const server = createServer(handle);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return [server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
}

describe.skipIf(!executablePath && !isRequired)("forms in Chromium", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "gen-try-"));
  const seen: { request: IncomingMessage; body: string }[] = [];
  const servers: Server[] = [];
  let [api, other, site] = ["", "", ""];
  let host: Host;
  let browser: Browser;

  beforeAll(async () => {
    const respond: RequestListener = async (request, response) => {
      let body = "";
      for await (const part of request) body += String(part);
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader(
        "access-control-allow-headers",
        "authorization, content-type",
      );
      response.setHeader("access-control-allow-methods", "*");
      const isPreflight = request.method === "OPTIONS";
      if (!isPreflight) seen.push({ request, body });
      if (!isPreflight && request.url!.includes("redirect")) {
        response.setHeader("location", "/elsewhere");
        response.statusCode = 302;
      }
      response.setHeader("content-type", "text/html");
      response.end(HOSTILE);
    };
    const files: RequestListener = (request, response) => {
      const file = new URL(request.url!, "http://x").pathname;
      const types: Record<string, string> = {
        ".html": "text/html",
        ".css": "text/css",
      };
      const type = types[path.extname(file)] ?? "text/javascript";
      response.setHeader("content-type", type);
      response.end(readFileSync(path.join(folder, "site", file)));
    };
    for (const listener of [respond, respond, files]) {
      const [server, origin] = await serve(listener);
      servers.push(server);
      [api, other, site] = [other, site, origin];
    }
    mkdirSync(path.join(folder, "specs"));
    writeFileSync(
      path.join(folder, "specs/shop.json"),
      JSON.stringify(documentOf(`${api}/`)),
    );
    const tryOrigins = [api];
    await generateSite(["specs"], "site", folder, { tryOrigins });
    const service = await start({
      store: memoryStore(),
      now: Date.now,
      log: () => {},
      folder: undefined,
      config: { folder: path.join(folder, "specs"), tryIt: ["self", api] },
    });
    host = await listen([service]);
    browser = await chromium.launch({
      executablePath: executablePath!,
      args: ["--disable-dev-shm-usage", "--no-sandbox"],
    });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await host?.close();
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const PAGES = [
    ["a static site", () => `${site}/apis/shop/v1/books.html`],
    ["the directory", () => `${host.origin}/apis/shop/v1/methods/books/update`],
  ] as const;

  const HOSTILE_PAGE = (): string =>
    `${host.origin}/apis/shop/v1/methods/${encodeURIComponent(HOSTILE)}/get`;

  async function visit(
    url: string,
    look: (page: Page, wrong: string[]) => Promise<void>,
    width = 1280,
  ): Promise<void> {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
    });
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
    seen.length = 0;
    try {
      await page.goto(url);
      await look(page, wrong);
    } finally {
      await context.close();
    }
    expect(wrong).toEqual([]);
  }

  it.each(PAGES)(
    "send the request that the fields describe, from %s",
    (_, url) =>
      visit(url(), async (page) => {
        await page.locator(".try summary").focus();
        await page.keyboard.press("Enter");
        await page.getByLabel("Bearer token").fill("s3cret");
        await page.getByLabel("name").first().fill("books/a b");
        await page.getByLabel(/^id/).fill("1/2?");
        await page.getByLabel("force").selectOption("true");
        await page.getByLabel("mode").selectOption("SLOW");
        await page.getByLabel("tag").fill("x\ny&z");
        await page
          .getByRole("textbox", { name: "Request body" })
          .fill('{"title":"T"}');
        await page.getByLabel(/^q/).focus();
        await page.keyboard.press("Enter");
        await page.getByText("200 OK, text/html").waitFor();
        expect(seen).toHaveLength(1);
        const [{ request, body }] = seen as [(typeof seen)[0]];
        expect(`${request.method} ${request.url}`).toBe(
          "PATCH /shop/v1/books/a%20b/items/1%2F2%3F?force=true&mode=SLOW&tag=x&tag=y%26z",
        );
        expect(request.headers).toMatchObject({
          authorization: "Bearer s3cret",
          "content-type": "application/json",
        });
        expect(request.headers.referer).toBeUndefined();
        expect(body).toBe('{"title":"T"}');
        const response = page.getByRole("region", { name: "Response" });
        expect(await response.textContent()).toBe(HOSTILE);
        expect(await response.locator("*").count()).toBe(0);
        const stored = await page.evaluate(
          "JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, document.cookie, history.state, [...document.querySelectorAll('input[name]')].map((one) => one.name)])",
        );
        expect(stored).not.toContain("s3cret");
        await page.reload();
        expect(await page.locator('[data-role="token"]').inputValue()).toBe("");
      }),
  );

  it.each(PAGES)(
    "send nothing to other hosts or after redirects, from %s",
    (_, url) =>
      visit(url(), async (page, wrong) => {
        await page.locator(".try summary").click();
        await page.getByLabel("name").first().fill("redirect");
        await page.getByLabel(/^id/).fill("1");
        const send = () => page.getByRole("button", { name: /^Send/ }).click();
        const base = page.getByLabel("Base URL");
        const status = page.locator(".try [role=status]");
        for (const value of [other, `${api}@${new URL(other).host}/`]) {
          await base.fill(value);
          await send();
          await page.getByText("permits requests only to").waitFor();
        }
        await base.fill(`${api}/`);
        await page.getByLabel(/^id/).fill("..");
        await send();
        await page.getByText("must not contain a path segment").waitFor();
        expect(seen).toEqual([]);
        await page.getByLabel(/^id/).fill("1");
        await send();
        await page.getByText("The request failed").waitFor();
        expect(seen.map(({ request }) => request.url)).toEqual([
          "/shop/v1/redirect/items/1",
        ]);
        expect(await status.textContent()).toContain("redirect");
        // The policy holds without the script's own check.
        wrong.length = 0;
        const outcome = await page.evaluate(
          `fetch(${JSON.stringify(other)}).then(() => "sent", () => "refused")`,
        );
        expect(outcome).toBe("refused");
        expect(wrong.splice(0).join()).toContain("Content Security Policy");
      }),
  );

  it("show hostile text as text", () =>
    visit(HOSTILE_PAGE(), async (page) => {
      await page.locator(".try summary").click();
      expect(await page.locator(".try summary").textContent()).toBe(
        `Try ${HOSTILE}.get`,
      );
      await page.locator("select").selectOption(HOSTILE);
      await page.getByRole("button", { name: "Send GET request" }).click();
      await page.getByText("200 OK, text/html").waitFor();
    }));

  it.each([() => PAGES[0][1](), () => PAGES[1][1](), HOSTILE_PAGE])(
    "are accessible and fit on a phone (%#)",
    (url) =>
      visit(
        url(),
        async (page) => {
          await page.locator(".try summary").click();
          expect(
            await page.evaluate(
              "document.documentElement.scrollWidth <= innerWidth",
            ),
          ).toBe(true);
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme });
            expect(await axeViolations(page), colorScheme).toEqual([]);
          }
        },
        390,
      ),
  );
});
