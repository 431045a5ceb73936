import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { load } from "../../../src/generate/api.js";
import { buildMock } from "../../../src/mock/build.js";
import { toNodeListener } from "../../../src/runtime/server/index.js";
import { CORPUS } from "../../corpus/support.js";
import { startServers, type Running } from "./servers.js";
import { describeOfficial } from "./suite.js";

/** Debian's ruby has Debian's google-api-client; another ruby may not. */
const RUBY = "/usr/bin/ruby";
const SCRIPT = path.join(import.meta.dirname, "checks.rb");

/** Names of the checks in the script. */
const NAMES = [
  ...readFileSync(SCRIPT, "utf8").matchAll(/^ *check\(['"](.*)['"]\) do$/gm),
].flatMap(([, name]) =>
  name!.includes("#{name}")
    ? ["drive", "the mock of drive"].map((by) =>
        name!.replace("#{name}", () => by),
      )
    : name!,
);

/** Result of a check as printed by the script. */
interface Told {
  readonly name: string;
  readonly failure: string | null;
}

describeOfficial("google-api-client (Ruby)", missing(), () => {
  let running: Running;
  const crashes: string[] = [];
  const mock = http.createServer(toNodeListener(mockOfDrive(crashes)));
  const told = new Map<string, string | null>();

  beforeAll(async () => {
    running = await startServers();
    await new Promise<void>((resolve) => mock.listen(0, "127.0.0.1", resolve));
    const { port } = mock.address() as AddressInfo;
    const urls = { ...running.rootUrls, mock: `http://127.0.0.1:${port}/` };
    const { stdout } = await promisify(execFile)(
      RUBY,
      [SCRIPT, ...Object.entries(urls).map(([name, url]) => `${name}=${url}`)],
      {
        env: { PATH: process.env["PATH"], LANG: "C.UTF-8" },
        timeout: 100_000,
      },
    );
    for (const line of stdout.trim().split("\n")) {
      const { name, failure } = JSON.parse(line) as Told;
      told.set(name, failure);
    }
  }, 120_000);
  afterAll(async () => {
    mock.closeAllConnections();
    mock.close();
    await running?.close();
  });

  test.each(NAMES)("%s", (name) => {
    expect(told.get(name)).toBe(null);
  });

  test("ran all checks without failures of the servers", () => {
    expect(NAMES.length).toBeGreaterThan(9);
    expect([...told.keys()]).toEqual(NAMES);
    expect([...running.crashes, ...crashes]).toEqual([]);
  });
});

/** Returns the server that `gen serve --mock` runs for drive.v3. */
function mockOfDrive(crashes: string[]): ReturnType<typeof buildMock> {
  const file = path.join(CORPUS, "drive.v3.json");
  const { api } = load(readFileSync(file, "utf8"), "drive.v3");
  return buildMock(api!, {
    seed: "ruby",
    strict: false,
    server: {
      validateResponses: true,
      log({ status, error, request }) {
        if (status === 500)
          crashes.push(`mock ${request.target}: ${String(error)}`);
      },
    },
  });
}

/** Lists missing requirements of the machine. */
function missing(): string | undefined {
  const { status } = spawnSync(RUBY, ["-e", "require 'google/apis/drive_v3'"]);
  return status === 0 ? undefined : "ruby-google-api-client";
}
