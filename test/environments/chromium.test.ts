import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium } from "../support/chromium.js";
import { bundleChecks } from "./bundle.js";
import type { Results } from "./checks.js";
import { startShop, type ShopServer } from "./shop-server.js";

const executablePath = findChromium();
const isRequired = Boolean(process.env["CI"]);
if (!executablePath && !isRequired)
  console.log("not tested in a browser: there is no chromium");

/** Script that runs the checks in a worker. */
const WORKER = `importScripts("/checks.js");
onmessage = ({ data }) => run(data).then(postMessage);`;

/** Serves a page, the checks and the worker. */
async function servePage(code: string): Promise<Server> {
  const files: Record<string, readonly [type: string, text: string]> = {
    "/": ["text/html", '<!doctype html><script src="/checks.js"></script>'],
    "/checks.js": ["text/javascript", code],
    "/worker.js": ["text/javascript", WORKER],
  };
  const server = createServer(({ url = "" }, response) => {
    const [type, text] = files[url] ?? ["text/plain", ""];
    response.setHeader("content-type", `${type}; charset=utf-8`).end(text);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

describe.skipIf(!executablePath && !isRequired)("in Chromium", () => {
  let shop: ShopServer;
  let pages: Server;
  let browser: Browser;
  let url = "";

  beforeAll(async () => {
    if (!executablePath) throw new Error("there is no chromium");
    shop = await startShop();
    pages = await servePage(bundleChecks());
    url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`;
    browser = await chromium.launch({
      executablePath,
      args: ["--disable-dev-shm-usage"],
    });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    pages?.closeAllConnections();
    pages?.close();
    await shop?.close();
  });

  it.each([
    ["a page", "run(root)"],
    [
      "a worker",
      `new Promise((resolve, reject) => {
        const worker = new Worker("/worker.js");
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage(root);
      })`,
    ],
  ])("a client works in %s", async (_, expression) => {
    const page = await browser.newPage();
    await page.goto(url);
    const script = `((root) => ${expression})(${JSON.stringify(shop.root)})`;
    const results = (await page.evaluate(script)) as Results;
    await page.close();
    const passed = Object.keys(results).map((name) => [name, ""]);
    expect(results).toEqual(Object.fromEntries(passed));
    expect(passed.length).toBeGreaterThan(10);
  });
});
