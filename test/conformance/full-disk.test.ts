import { execFileSync, spawnSync } from "node:child_process";
import path from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { temporaryFolder, ROOT } from "../support/paths.js";

test("LevelDB loses no acknowledged write on a disk that is full 200 times", async (context) => {
  const disk = temporaryFolder();
  const size = ["-t", "tmpfs", "-o", "size=12m", "tmpfs", disk];
  // Only root may mount; test/services has the same faults with `ulimit`.
  if (spawnSync("mount", size).status !== 0) return context.skip();
  context.onTestFinished(() => void spawnSync("umount", [disk]));
  const program = path.join(ROOT, ".tmp/full-disk.mjs");
  await build({
    entryPoints: [path.join(ROOT, "test/services/store-faults.ts")],
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["classic-level"],
  });
  const result = execFileSync(process.execPath, [program, disk, "200", disk], {
    encoding: "utf8",
    env: { ...process.env, COPY: temporaryFolder() },
  });
  const { failed, written, problems } = JSON.parse(result) as {
    readonly failed: number;
    readonly written: number;
    readonly problems: readonly string[];
  };
  expect(problems).toEqual([]);
  expect(failed).toBe(200);
  expect(written).toBeGreaterThan(50);
});
