import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CORPUS } from "../../corpus/support.js";
import { startServers, type Running } from "./servers.js";
import { describeOfficial } from "./suite.js";

/** Debian's python3 has Debian's googleapiclient; another python3 on the path may not. */
const PYTHON = "/usr/bin/python3";
const SCRIPT = path.join(import.meta.dirname, "checks.py");

/** Names of the checks in the script. */
const NAMES = [
  ...readFileSync(SCRIPT, "utf8").matchAll(/^@check\("(.*)"\)$/gm),
].map(([, name]) => name!);

/** Result of a check as printed by the script. */
interface Told {
  readonly name: string;
  readonly failure: string | null;
}

describeOfficial("googleapiclient (Python)", missing(), () => {
  let running: Running;
  const told = new Map<string, string | null>();

  beforeAll(async () => {
    running = await startServers();
    const roots = Object.entries(running.rootUrls).map(
      ([name, url]) => `${name}=${url}`,
    );
    const env = { PATH: process.env["PATH"], NO_PROXY: "127.0.0.1" };
    const { stdout } = await promisify(execFile)(
      PYTHON,
      [SCRIPT, CORPUS, ...roots],
      { env, timeout: 100_000 },
    );
    for (const line of stdout.trim().split("\n")) {
      const { name, failure } = JSON.parse(line) as Told;
      told.set(name, failure);
    }
  });
  afterAll(() => running?.close());

  test.each(NAMES)("%s", (name) => {
    expect(told.get(name)).toBe(null);
  });

  test("ran all checks without failures of the servers", () => {
    expect(NAMES.length).toBeGreaterThan(25);
    expect([...told.keys()]).toEqual(NAMES);
    expect(running.crashes).toEqual([]);
  });
});

/** Lists missing requirements of the machine. */
function missing(): string | undefined {
  const { status } = spawnSync(PYTHON, ["-c", "import googleapiclient"]);
  return status === 0 ? undefined : "python3-googleapi";
}
