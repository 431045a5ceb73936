import vm from "node:vm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundleChecks } from "./bundle.js";
import type { Results } from "./checks.js";
import { startShop, type ShopServer } from "./shop-server.js";

/** Globals of web workers that are not part of the language. */
const WEB = [
  "AbortController",
  "AbortSignal",
  "Blob",
  "DOMException",
  "Headers",
  "ReadableStream",
  "Request",
  "Response",
  "TextDecoder",
  "TextEncoder",
  "URL",
  "URLSearchParams",
  "atob",
  "btoa",
  "clearTimeout",
  "crypto",
  "fetch",
  "performance",
  "queueMicrotask",
  "setTimeout",
] as const;

/** Classes shared with the context, since `instanceof` compares Node's objects. */
const SHARED_CLASSES = { ArrayBuffer, Uint8Array };

/** Globals of Node. */
const NODE = [
  "Buffer",
  "__dirname",
  "__filename",
  "clearImmediate",
  "exports",
  "global",
  "module",
  "process",
  "require",
  "setImmediate",
];

let server: ShopServer;
let code = "";
beforeAll(async () => {
  server = await startShop();
  code = bundleChecks();
});
afterAll(() => server.close());

/** Creates a context with the globals of a worker; records access to those of Node. */
function contextOf(touched: string[]): vm.Context {
  const web = WEB.map((name) => [name, globalThis[name]]);
  const globals = { ...Object.fromEntries(web), ...SHARED_CLASSES };
  for (const name of NODE)
    Object.defineProperty(globals, name, {
      get: () => void touched.push(name),
      configurable: true,
    });
  return vm.createContext(globals);
}

it("a client works with the globals of the web alone", async () => {
  const touched: string[] = [];
  const context = contextOf(touched);
  vm.runInContext("typeof process", context);
  expect(touched.splice(0), "the trap works").toEqual(["process"]);
  vm.runInContext(code, context);
  const results: Results = await context["run"](server.root);
  const passed = Object.keys(results).map((name) => [name, ""]);
  expect(results).toEqual(Object.fromEntries(passed));
  expect(passed.length).toBeGreaterThan(10);
  expect(touched).toEqual([]);
});

it("names nothing of Node", () => {
  const names = /(?<![.\w"])(process|Buffer|require|global|setImmediate)\b/g;
  expect("typeof process".match(names)).toHaveLength(1);
  expect(code.match(names)).toBeNull();
});
