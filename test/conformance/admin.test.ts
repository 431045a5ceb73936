// The admin API with clients that this project did not generate: the official
// Python client, curl, and the linter of OpenAPI.
import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigFile } from "../../src/services/config-file.js";
import { runServices, type RunningServices } from "../../src/services/run.js";
import type { LogLine } from "../../src/services/service.js";
import { services } from "../../src/services/table.js";
import { ROOT, temporaryFolder } from "../support/paths.js";

const PYTHON = "/usr/bin/python3";
const TOKEN = "token-of-the-conformance-test";
const DOCUMENT = path.join(ROOT, "specs/admin.v1.json");

function canRun(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const isRequired = Boolean(process.env["CI"]);
const hasPython = canRun(PYTHON, "-c", "import googleapiclient");
if (!hasPython && !isRequired)
  console.log("not tested with the Python client: no python3-googleapi");
const hasCurl = canRun("curl", "--version");

const run = promisify(execFile);
let running: RunningServices;
const log: LogLine[] = [];

beforeAll(async () => {
  process.env["TEST_ADMIN_TOKEN"] = TOKEN;
  running = await runServices({
    rows: services,
    config: new ConfigFile(
      "gen.yaml",
      "admin:\n  port: 0\n  tokens: [{ name: ops, token: env:TEST_ADMIN_TOKEN }]\n",
      services.map(({ name }) => name),
    ),
    isDemo: true,
    log: (line) => log.push(line),
  });
});
afterAll(() => running?.close());

describe.skipIf(!hasPython && !isRequired)("google-api-python-client", () => {
  it("administers owners, keys, items, purchases, chat and migrations", async () => {
    const script = path.join(ROOT, "test/conformance/admin_client.py");
    const args = [script, DOCUMENT, running.admin!, TOKEN];
    const { stdout } = await run(PYTHON, args);
    const checks = stdout.trim().split("\n");
    console.log(checks.join("\n"));
    expect(checks).toHaveLength(14);
    const audits = log.filter(({ event }) => event === "audit");
    expect(audits.map(({ action }) => action)).toEqual([
      "admin.owners.create",
      "admin.owners.patch",
      "admin.owners.patch",
      "admin.owners.keys.create",
      "admin.owners.keys.rotate",
      "admin.owners.items.import",
      "admin.owners.purchases.create",
      "admin.owners.purchases.delete",
      "admin.chat.keys.create",
    ]);
    expect(new Set(audits.map(({ actor }) => actor))).toEqual(new Set(["ops"]));
  });
});

describe.skipIf(!hasCurl && !isRequired)("curl", () => {
  const curl = async (...args: string[]): Promise<unknown> => {
    const header = `authorization: Bearer ${TOKEN}`;
    const { stdout } = await run("curl", ["-sS", "-H", header, ...args]);
    return JSON.parse(stdout);
  };

  it("lists, changes and imports as in docs/admin.md", async () => {
    const owners = `${running.admin}/admin/v1/owners`;
    const patched = await curl(
      "-X",
      "PATCH",
      "--json",
      '{"suspended": true}',
      `${owners}/demo`,
    );
    expect(patched).toMatchObject({ username: "demo", suspended: true });
    const imported = await curl(
      "-H",
      "content-type: text/csv",
      "--data-binary",
      "purchase_code,price,currency,item_id,date\nc-9,1,USD,1,2026-01-01T00:00:00Z\n",
      `${running.admin}/upload/admin/v1/owners/demo/purchases:import?uploadType=media`,
    );
    expect(imported).toEqual({ imported: 1, problems: [] });
  });
});

const TOOLS = path.join(ROOT, "test/openapi");
const hasTools = existsSync(path.join(TOOLS, "node_modules"));

describe.skipIf(!hasTools && !isRequired)("OpenAPI", () => {
  it("has no error for Redocly and the schema of OpenAPI 3.1", async () => {
    const out = temporaryFolder();
    const gen = path.join(ROOT, "bin/gen.js");
    const options = ["--spec", DOCUMENT, "--out", out, "--target", "openapi"];
    await run(process.execPath, [gen, ...options]);
    const result = path.join(out, "lint.json");
    const lint = path.join(TOOLS, "lint.mjs");
    await run(process.execPath, [lint, out, result, "admin/v1"]);
    const found = JSON.parse(readFileSync(result, "utf8")) as object;
    expect(found).toMatchObject({ errors: [], operations: 33 });
  });
});
