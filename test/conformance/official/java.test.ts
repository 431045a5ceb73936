import { execFile, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServers, type Running } from "./servers.js";
import { describeOfficial } from "./suite.js";

/** Folder of the jars of Debian packages. */
const JARS = "/usr/share/java";
const NEEDED = [
  "google-api-client",
  "google-http-client",
  "google-http-client-gson",
  "google-oauth-client",
  "gson",
  "guava",
  "grpc-context",
  "opencensus-api",
  "opencensus-contrib-http-util",
  "httpclient",
  "httpcore",
  "commons-logging",
  "commons-codec",
].map((name) => path.join(JARS, `${name}.jar`));

const SOURCE = path.join(import.meta.dirname, "Checks.java");

/** Names of the checks in the source. */
const NAMES = [
  ...readFileSync(SOURCE, "utf8").matchAll(/^ {4}check\("(.*)", \(\) -> \{$/gm),
].map(([, name]) => name!);

describeOfficial("google-api-client (Java)", missing(), () => {
  let running: Running;
  let lines: readonly string[] = [];

  beforeAll(async () => {
    running = await startServers();
    const { stdout } = await promisify(execFile)(
      "java",
      ["-cp", NEEDED.join(":"), SOURCE, running.rootUrls["storage.v1"]],
      { env: { PATH: process.env["PATH"] }, timeout: 110_000 },
    );
    lines = stdout.trim().split("\n");
  }, 120_000);
  afterAll(() => running?.close());

  test.each(NAMES)("%s", (name) => {
    const told = lines.filter(
      (line) => line === `ok ${name}` || line.startsWith(`failed ${name}: `),
    );
    expect(told).toEqual([`ok ${name}`]);
  });

  test("no server failed", () => {
    expect(NAMES.length).toBeGreaterThan(9);
    expect(running.crashes).toEqual([]);
  });
});

/** Lists missing requirements of the machine. */
function missing(): string | undefined {
  const { status } = spawnSync("java", ["-version"]);
  if (status !== 0) return "default-jdk-headless";
  return NEEDED.every((jar) => existsSync(jar))
    ? undefined
    : "libgoogle-api-client-java";
}
