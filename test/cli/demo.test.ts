import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ROOT, temporaryFolder } from "../support/paths.js";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
if (!hasCurl) console.warn("curl is not here: what demos print is not tried.");

/** Starts all services with their demos; returns their output until they listen. */
async function demo(): Promise<readonly string[]> {
  const gen = path.join(ROOT, "bin/gen.js");
  const args = [gen, "serve", "--demo", "--port", "0"];
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, args, {
    env: { PATH, HOME },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  const text = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (data: Buffer) => {
      said += data.toString();
      if (said.includes("listening on")) resolve(said);
    });
    void ended.then(() => reject(new Error("it did not start")));
  });
  return text.trim().split("\n");
}

test.runIf(hasCurl)(
  "every command that a demo prints works unchanged",
  async () => {
    const cwd = temporaryFolder();
    mkdirSync(path.join(cwd, "bin"));
    symlinkSync(path.join(ROOT, "bin/gen.js"), path.join(cwd, "bin/gen"));
    const { PATH = "", HOME = "" } = process.env;
    const env = { HOME, PATH: `${path.join(cwd, "bin")}:${PATH}` };
    const lines = await demo();
    const calls = lines.flatMap((line) => /\bcurl .*/.exec(line)?.[0] ?? []);
    expect(calls.length).toBeGreaterThan(12);
    // Fails for other statuses than success; waits for archives.
    const options = "curl --fail --silent --show-error --retry 20";
    const patient = `${options} --retry-delay 1 --retry-all-errors`;
    for (const call of calls) {
      const isArchive = call.includes("/archive");
      const script = call.replace("curl", isArchive ? patient : options);
      const { status, stderr } = spawnSync("sh", ["-c", script], {
        cwd,
        env,
        encoding: "utf8",
      });
      expect([call, status, stderr]).toEqual([call, 0, expect.any(String)]);
    }
    expect(existsSync(path.join(cwd, "archive.tar.gz"))).toBe(true);
    expect(existsSync(path.join(cwd, "client/chat/v1/index.ts"))).toBe(true);
  },
);
