import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { generate } from "../../src/index.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { documentServer } from "../unit/remote/project.js";
import { shop } from "../unit/remote/support.js";
import { apiOf, gen, texts, write } from "./support.js";

/** A running `gen --watch`, and what it printed. */
interface Watching {
  readonly child: ChildProcess;
  readonly printed: { stdout: string; stderr: string };
  /** Waits until the given number of runs have ended. */
  reach(runs: number): Promise<void>;
  /** Sends a signal; returns the exit code, or the signal. */
  end(signal?: NodeJS.Signals): Promise<number | string | null>;
}

function watch(cwd: string, ...args: readonly string[]): Watching {
  const child = spawn(
    process.execPath,
    [path.join(ROOT, "bin/gen.js"), "--watch", ...args],
    { cwd, stdio: ["ignore", "pipe", "pipe"] },
  );
  const printed = { stdout: "", stderr: "" };
  child.stdout.on("data", (data) => (printed.stdout += String(data)));
  child.stderr.on("data", (data) => (printed.stderr += String(data)));
  const closed = once(child, "close");
  onTestFinished(() => void child.kill("SIGKILL"));
  const runs = (): number => printed.stdout.split(" documents").length - 1;
  return {
    child,
    printed,
    reach: (count) =>
      vi.waitFor(() => expect(runs()).toBeGreaterThanOrEqual(count), {
        timeout: 20_000,
        interval: 10,
      }),
    end: async (signal = "SIGINT") => {
      child.kill(signal);
      const [code, by] = (await closed) as [number | null, string | null];
      return code ?? by;
    },
  };
}

function project() {
  const cwd = temporaryFolder();
  write(cwd, { "specs/a.json": apiOf("a"), "specs/b.json": apiOf("b") });
  const things = (): string =>
    texts(cwd)["specs/out/a/v1/resources/things.ts"] ?? "";
  return { cwd, things };
}

describe("gen --watch", () => {
  test("follows changes; broken documents keep their output", async () => {
    const { cwd, things } = project();
    // The output is below the folder of the documents.
    const run = watch(cwd, "--spec", "specs", "--out", "specs/out");
    await run.reach(1);
    const before = texts(path.join(cwd, "specs/out"));
    expect(things()).toContain("things/r1");
    writeFileSync(path.join(cwd, "specs/a.json"), '{"kind": "disc');
    await run.reach(2);
    expect(run.printed.stderr).toContain("specs/a.json:1:");
    expect(texts(path.join(cwd, "specs/out"))).toEqual(before);
    write(cwd, { "specs/a.json": apiOf("a", "v1", "2") });
    await run.reach(3);
    expect(things()).toContain("things/r2");
    await sleep(300);
    expect(run.printed.stdout.match(/ documents/g)).toHaveLength(3);
    expect(run.printed.stderr).toContain("Changed: specs/a.json\n");
    expect(await run.end()).toBe(0);
    expect(existsSync(path.join(cwd, "specs/out/.gen-lock"))).toBe(false);
  });

  test("reloads the config", async () => {
    const { cwd } = project();
    const config = (out: string) => ({
      "gen.config.json": { out, apis: { "a:v1": { source: "specs/a.json" } } },
    });
    write(cwd, config("one"));
    const run = watch(cwd);
    await vi.waitFor(() => expect(run.printed.stderr).toContain("Watching"), {
      timeout: 20_000,
    });
    write(cwd, { "gen.config.json": '{ "out": ' });
    await vi.waitFor(
      () => expect(run.printed.stderr).toContain("gen.config.json:1:"),
      { timeout: 20_000 },
    );
    write(cwd, config("two"));
    await vi.waitFor(
      () => expect(existsSync(path.join(cwd, "two/a/v1/index.ts"))).toBe(true),
      { timeout: 20_000 },
    );
    expect(existsSync(path.join(cwd, "one/a/v1/index.ts"))).toBe(true);
    expect(await run.end("SIGTERM")).toBe(0);
  });

  test.each(["config", "--spec"])(
    "polls remote documents: %s",
    async (form) => {
      const server = await documentServer();
      const { origin } = server;
      const cwd = temporaryFolder();
      const source = `${origin}/discovery/v1/apis/shop/v1/rest`;
      const permitted = { allowHttp: true, allowPrivate: true };
      const config = {
        ...permitted,
        out: "out",
        apis: { "shop:v1": { source } },
      };
      if (form === "config") write(cwd, { "gen.config.json": config });
      const options = ["--spec", source, "--out", "out"];
      const permit = ["--allow-http", "--allow-private", "--poll", "1"];
      const run = watch(cwd, ...(form === "config" ? [] : options), ...permit);
      await vi.waitFor(() => expect(run.printed.stderr).toContain("Watching"), {
        timeout: 20_000,
      });
      await vi.waitFor(
        () => expect(server.requests.length).toBeGreaterThanOrEqual(2),
        { timeout: 20_000 },
      );
      const next = {
        ...shop(),
        revision: "20990101",
        rootUrl: "https://another.example.com/",
      };
      server.document = next;
      await vi.waitFor(
        () =>
          expect(Object.values(texts(path.join(cwd, "out"))).join()).toContain(
            "another.example.com",
          ),
        { timeout: 20_000 },
      );
      if (form === "config")
        expect(texts(cwd)["gen.lock.json"]).toContain("20990101");
      // A server that does not respond delays the end by half a second.
      server.respond = () => {};
      const { length } = server.requests;
      await vi.waitFor(
        () => expect(server.requests.length).toBeGreaterThan(length),
        { timeout: 20_000 },
      );
      const start = Date.now();
      expect(await run.end()).toBe(0);
      expect(Date.now() - start).toBeLessThan(5000);
    },
  );

  test("refuses a wrong interval", () => {
    const run = gen(["--watch", "--spec", "a", "--out", "o", "--poll", "1h"]);
    expect(run.status).toBe(2);
    expect(run.stderr).toContain("--poll must be an integer");
  });

  test("needs files", () => {
    const run = gen(["--watch", "--spec", "-", "--out", "out"]);
    expect(run.status).toBe(2);
    expect(run.stderr).toContain("--watch can't be combined with --spec -");
  });

  test("leaves complete output when it is killed at any time", async () => {
    const cwd = temporaryFolder();
    const names = ["a", "b", "c", "d", "e", "f"];
    const save = (revision: string) =>
      write(
        path.join(cwd, "specs"),
        Object.fromEntries(
          names.map((name) => [`${name}.json`, apiOf(name, "v1", revision)]),
        ),
      );
    save("2");
    await generate({ spec: "specs", out: "expected", cwd });
    const expected = texts(path.join(cwd, "expected"));
    for (const delay of [60, 75, 90, 105]) {
      rmSync(path.join(cwd, "out"), { recursive: true, force: true });
      save("1");
      const run = watch(cwd, "--spec", "specs", "--out", "out");
      await run.reach(1);
      save("2");
      await sleep(delay);
      await run.end("SIGKILL");
      const again = gen(["--spec", "specs", "--out", "out"], { cwd });
      expect(again.stderr).toBe("");
      expect(texts(path.join(cwd, "out"))).toEqual(expected);
    }
  });
});
