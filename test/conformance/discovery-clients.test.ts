// All services on one host, with the official clients, which know nothing but
// what the directory tells them.
import { execFile, execFileSync } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { google } from "googleapis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigFile } from "../../src/services/config-file.js";
import { runServices, type RunningServices } from "../../src/services/run.js";
import { services } from "../../src/services/table.js";
import { ROOT } from "../support/paths.js";

const PYTHON = "/usr/bin/python3";

function hasPythonClient(): boolean {
  try {
    execFileSync(PYTHON, ["-c", "import googleapiclient"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const isRequired = Boolean(process.env["CI"]);
const hasPython = hasPythonClient();
if (!hasPython && !isRequired)
  console.log("not tested with the Python client: no python3-googleapi");

/** Sets rootUrl of the documents to the origin of the services. */
const CONFIG = "directory:\n  rootUrl: origin\n";

let running: RunningServices;
beforeAll(async () => {
  running = await runServices({
    rows: services,
    config: new ConfigFile(
      "gen.yaml",
      CONFIG,
      services.map(({ name }) => name),
    ),
    isDemo: true,
    log: () => {},
  });
});
afterAll(() => running?.close());

describe.skipIf(!hasPython && !isRequired)("google-api-python-client", () => {
  it("calls every service", async () => {
    const script = path.join(ROOT, "test/conformance/services_client.py");
    const { stdout } = await promisify(execFile)(PYTHON, [
      script,
      running.origin,
    ]);
    const checks = stdout.trim().split("\n");
    console.log(checks.join("\n"));
    expect(checks).toHaveLength(14);
  });
});

/** Client built at run time. */
type Made = Record<
  string,
  Record<
    string,
    (parameters: object) => Promise<{ status: number; data: unknown }>
  >
>;

async function discovered(name: string, options: object = {}): Promise<Made> {
  const url = `${running.origin}/discovery/v1/apis/${name}/v1/rest`;
  return (await google.discoverAPI(url, options)) as unknown as Made;
}

describe("googleapis, discoverAPI", () => {
  it("marketplace: account, items, purchase", async () => {
    const { account, items, purchases } = await discovered("marketplace");
    const api_key = "test-key";
    const { data } = await account!["details"]!({ api_key });
    expect(data).toMatchObject({ status: "success" });
    const all = await items!["all"]!({ api_key });
    const [first] = (all.data as { items: { id: number }[] }).items;
    const one = await items!["item"]!({ api_key, item_id: first!.id });
    expect(one.data).toEqual({ status: "success", item: first });
    const bought = { api_key, purchase_code: "code-1" };
    expect((await purchases!["validation"]!(bought)).data).toMatchObject({
      data: { purchase: { purchase_code: "code-1" } },
    });
  });

  it("migration: start, state, pages, repositories, archive", async () => {
    const headers = { authorization: "Bearer owner-token" };
    const { migrations } = await discovered("migration", { headers });
    const org = "acme";
    const requestBody = { repositories: ["acme/alpha"] };
    const started = await migrations!["startForOrg"]!({ org, requestBody });
    expect(started.status).toBe(201);
    const { id } = started.data as { id: number };
    const page = { org, per_page: 1, page: 1 };
    const pages = await migrations!["listForOrg"]!(page);
    expect(pages.data).toMatchObject([{ id }]);
    const place = { org, migration_id: id };
    const state = async (): Promise<unknown> =>
      (await migrations!["getStatusForOrg"]!(place)).data;
    await expect
      .poll(state, { timeout: 30_000 })
      .toMatchObject({ state: "exported" });
    const listed = await migrations!["listReposForOrg"]!(place);
    expect(listed.data).toMatchObject([{ full_name: "acme/alpha" }]);
    const bytes = await discovered("migration", {
      headers,
      responseType: "arraybuffer",
    });
    const archive = await bytes["migrations"]!["downloadArchiveForOrg"]!(place);
    const [first, second] = new Uint8Array(archive.data as ArrayBuffer);
    expect([first, second]).toEqual([0x1f, 0x8b]);
  });
});
