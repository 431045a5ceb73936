import { spawn } from "node:child_process";
import path from "node:path";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { levelStore } from "../../src/services/store/level.js";
import { ROOT, temporaryFolder } from "../support/paths.js";

const writer = path.join(ROOT, ".tmp/store-writer.mjs");
beforeAll(() =>
  build({
    entryPoints: [path.join(ROOT, "test/services/store-writer.ts")],
    outfile: writer,
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["classic-level"],
  }),
);

/** Runs the writer and kills it after some rounds; returns the last reported round. */
async function killedAfter(
  folder: string,
  rounds: number,
  delay: number,
): Promise<number> {
  const child = spawn(process.execPath, [writer, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let told = "";
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.stdout.on("data", (chunk: Buffer) => {
    told += chunk.toString();
    if (told.split("\n").length > rounds)
      setTimeout(() => child.kill("SIGKILL"), delay);
  });
  await ended;
  return Number(told.trimEnd().split("\n").at(-1));
}

test("kill -9 leaves complete transactions, including all acknowledged ones", async () => {
  for (const delay of [0, 1, 2, 3, 5]) {
    const folder = temporaryFolder();
    const last = await killedAfter(folder, 5, delay);
    const store = await levelStore(folder);
    const rounds = (await store.list<{ round: number }>("parts")).map(
      ({ value }) => value.round,
    );
    await store.close();
    expect(rounds).toHaveLength(50);
    expect(new Set(rounds).size).toBe(1);
    expect(rounds[0]).toBeGreaterThanOrEqual(last);
  }
});
