// Tests the directory with popular clients of this format.
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { google } from "googleapis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { start } from "../../src/services/directory/index.js";
import { listen, type Host } from "../../src/services/host.js";
import { memoryStore } from "../../src/services/store/open.js";
import { ROOT } from "../support/paths.js";

const IDS = [
  "admin:v1",
  "chat:v1",
  "discovery:v1",
  "marketplace:v1",
  "migration:v1",
];

/** Resources that clients built from the documents must have. */
const RESOURCES: Readonly<Record<string, string[]>> = {
  admin: ["chat", "migrations", "owners"],
  chat: ["chat", "models"],
  discovery: ["apis"],
  marketplace: ["account", "items", "purchases"],
  migration: ["migrations"],
};

/** Python of Debian, for which python3-googleapi is installed. */
const PYTHON = "/usr/bin/python3";

const run = promisify(execFile);

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

let host: Host;
let home: string;
beforeAll(async () => {
  const service = await start({
    store: memoryStore(),
    now: Date.now,
    log: () => {},
    folder: undefined,
    config: {},
  });
  host = await listen([service]);
  home = mkdtempSync(path.join(tmpdir(), "gen-python-"));
});
afterAll(async () => {
  await host?.close();
  rmSync(home, { recursive: true, force: true });
});

describe.skipIf(!hasPython && !isRequired)("google-api-python-client", () => {
  it("lists, builds and calls the APIs of the directory", async () => {
    const script = path.join(ROOT, "test/conformance/directory_client.py");
    const { stdout } = await run(PYTHON, [script, host.origin, ...IDS], {
      cwd: home,
      env: { PATH: process.env["PATH"], HOME: home, NO_PROXY: "*" },
    });
    const checks = stdout.trim().split("\n");
    console.log(checks.map((line) => `python: ${line}`).join("\n"));
    expect(checks).toEqual(
      [
        "list",
        "preferred",
        "fields",
        "no match",
        "getRest",
        "not found",
        "$discovery",
        ...IDS.map((id) => `build ${id}`),
        "batch",
        "304 of httplib2",
      ].map((name) => `ok ${name}`),
    );
  });
});

describe("googleapis", () => {
  it("discovers the directory and calls it", async () => {
    const url = `${host.origin}/discovery/v1/apis/discovery/v1/rest`;
    const api = (await google.discoverAPI(url)) as unknown as {
      apis: {
        list(
          parameters: object,
        ): Promise<{ data: { items: { id: string }[] } }>;
        getRest(parameters: object): Promise<{ data: { id: string } }>;
      };
    };
    const { data } = await api.apis.list({ preferred: true });
    expect(data.items.map(({ id }) => id)).toEqual(IDS);
    const document = await api.apis.getRest({ api: "chat", version: "v1" });
    expect(document.data.id).toBe("chat:v1");
    await expect(
      api.apis.getRest({ api: "nobody", version: "v1" }),
    ).rejects.toMatchObject({ status: 404 });
  });

  it.each(IDS)("discovers %s by the alias of API hosts", async (id) => {
    const [name, version] = id.split(":");
    const url = `${host.origin}/${name}/$discovery/rest?version=${version}`;
    const api: unknown = await google.discoverAPI(url);
    expect(Object.keys(api as object)).toEqual(
      expect.arrayContaining(RESOURCES[name!]!),
    );
  });

  it("discovers all APIs of the list", async () => {
    const { Discovery } = await import("googleapis-common");
    const all = (await new Discovery({}).discoverAllAPIs(
      `${host.origin}/discovery/v1/apis`,
    )) as unknown as Record<string, (version: string) => object>;
    expect(Object.keys(all).sort()).toEqual(
      IDS.map((id) => id.split(":")[0]).sort(),
    );
    expect(all["discovery"]!("v1")).toHaveProperty("apis");
  });
});
