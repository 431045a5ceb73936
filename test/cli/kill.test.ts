import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { generate } from "../../src/index.js";
import { description } from "../support/generate.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { genProcess, texts, write } from "./support.js";
import { rounds } from "../support/full.js";

const APIS = Array.from({ length: 18 }, (_, index) => `api${index}`);
// The fifth is by SIGTERM.
const KILLS = rounds(50, 5);

/** API with many files; another revision changes all of them, adds some and removes some. */
function large(name: string, revision: number): object {
  const resources = Object.fromEntries(
    Array.from({ length: 6 }, (_, index) => {
      const own = index % 4 === 0 ? `r${revision}` : "";
      return [
        `things${index}${own}`,
        { methods: methods(name, index, revision) },
      ];
    }),
  );
  return description({ name, resources });
}

function methods(name: string, index: number, revision: number): object {
  return Object.fromEntries(
    Array.from({ length: 8 }, (_, number) => [
      `call${number}`,
      {
        id: `${name}.things${index}.call${number}`,
        path: `r${revision}/${index}/${number}`,
        httpMethod: "GET",
        description: `Revision ${revision}.`,
        parameters: {
          filter: { type: "string", location: "query" },
          pageSize: { type: "integer", format: "int32", location: "query" },
        },
      },
    ]),
  );
}

function project() {
  const cwd = temporaryFolder();
  const out = path.join(cwd, "out");
  const args = ["--spec", "specs", "--out", "out", "--runtime", "package"];
  return {
    cwd,
    out,
    args,
    give(revision: number): void {
      for (const api of APIS)
        write(cwd, { [`specs/${api}.json`]: large(api, revision) });
    },
    run: () => generate({ spec: "specs", out: "out", cwd, runtime: "package" }),
  };
}

/**
 * Starts the command and sends it a signal, some time after its start or after it
 * has locked the output. Returns false if the command had ended before.
 */
async function interrupt(
  { args, cwd, out }: ReturnType<typeof project>,
  isLate: boolean,
  delay: number,
  signal: NodeJS.Signals,
): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [path.join(ROOT, "bin/gen.js"), ...args],
    { cwd, stdio: "ignore" },
  );
  const end = new Promise<boolean>((resolve) => {
    child.on("exit", (_, received) => resolve(received !== null));
  });
  const lock = path.join(out, ".gen-lock");
  while (isLate && child.exitCode === null && !existsSync(lock))
    await new Promise(setImmediate);
  const due = performance.now() + delay;
  while (performance.now() < due && child.exitCode === null)
    await new Promise(
      delay > 20 ? (next) => setTimeout(next, 3) : setImmediate,
    );
  child.kill(signal);
  return end;
}

/** Numbers between 0 and 1, the same on every run (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const MINE = {
  "mine.txt": "mine\n",
  "api0/v1/mine.ts": "// mine\n",
  "api1/v1/resources/mine.ts": "// mine\n",
};

type Texts = Record<string, string>;

test(`${KILLS} runs killed at random leave complete files, old or new, and foreign files unchanged`, async () => {
  const here = project();
  const { cwd, out, args, give, run } = here;
  const whole: Texts[] = [];
  for (const revision of [0, 1]) {
    give(revision);
    await run();
    write(out, MINE);
    whole.push(texts(out));
  }
  give(0);
  const started = performance.now();
  expect(genProcess(args, { cwd }).status).toBe(0);
  const duration = performance.now() - started;
  const next = random(20240607);
  let killed = 0;
  for (let round = 1; round <= KILLS; round++) {
    const [old, now] = [whole[(round + 1) % 2]!, whole[round % 2]!];
    give(round % 2);
    const signal = round % 5 === 0 ? "SIGTERM" : "SIGKILL";
    const isLate = round % 3 !== 0;
    const delay = isLate ? 20 * next() : duration * (0.3 + 0.8 * next());
    if (await interrupt(here, isLate, delay, signal)) killed++;
    const left = texts(out);
    expect(left).toMatchObject(MINE);
    for (const [name, text] of Object.entries(left))
      if (name.startsWith("api") && !name.endsWith(".tmp"))
        expect([old[name], now[name]], name).toContain(text);
    for (const name of Object.keys(old))
      if (name in now) expect(left).toHaveProperty([name]);
    const { diagnostics } = await run();
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual(
      [],
    );
    expect(texts(out)).toEqual(now);
  }
  expect(killed).toBeGreaterThan(KILLS / 3);
}, 400_000);
