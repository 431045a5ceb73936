// The checks of test/environments/checks.ts, which include credentials, in Deno,
// Bun and workerd.
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { write } from "../cli/support.js";
import { bundleChecks } from "../environments/bundle.js";
import type { Results } from "../environments/checks.js";
import { startShop, type ShopServer } from "../environments/shop-server.js";

const PACKAGES = ["bun@1.4.5", "deno@2.9.6", "workerd@1.20261117.1"];

let folder = "";
let shop: ShopServer;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "gen-runtimes-"));
  const code = bundleChecks();
  shop = await startShop();
  write(folder, {
    "package.json": { private: true },
    "checks.mjs": `${code}
run(${JSON.stringify(shop.root)}).then((results) => console.log(JSON.stringify(results)));`,
    "worker.js": `${code}
export default {
  async fetch() {
    return Response.json(await run(${JSON.stringify(shop.root)}));
  },
};`,
    "config.capnp": `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["local", "private", "public"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "main", esModule = embed "worker.js")],
  compatibilityDate = "2026-01-01",
);`,
  });
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", ...quiet, ...PACKAGES], {
    cwd: folder,
    stdio: "inherit",
  });
}, 600_000);

afterAll(async () => {
  await shop?.close();
  rmSync(folder, { recursive: true, force: true });
});

function expectAllPassed(results: Results): void {
  const passed = Object.keys(results).map((name) => [name, ""]);
  expect(results).toEqual(Object.fromEntries(passed));
  expect(passed.length).toBeGreaterThan(10);
  expect(results).toHaveProperty("credentials");
}

const tool = (name: string): string =>
  path.join(folder, "node_modules/.bin", name);

it.each([
  ["Deno", "deno", ["run", "--no-config", "--allow-net", "checks.mjs"]],
  ["Bun", "bun", ["checks.mjs"]],
])("a client and its credentials work in %s", async (_, name, args) => {
  const { stdout } = await promisify(execFile)(tool(name), args, {
    cwd: folder,
  });
  expectAllPassed(JSON.parse(stdout) as Results);
});

it("a client and its credentials work in workerd", async () => {
  const args = ["serve", "--control-fd=1", "config.capnp"];
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const child = spawn(tool("workerd"), args, {
    cwd: folder,
    stdio: [...stdio],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout!.on("data", (data: Buffer) => {
      const found = /"port":(\d+)/.exec(data.toString());
      if (found) resolve(Number(found[1]));
    });
    child.on("exit", (code) => reject(new Error(`workerd ended with ${code}`)));
  });
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expectAllPassed((await response.json()) as Results);
});
