import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/paths.js";

it("a client works in this version of Node, over both transports", () => {
  const script = path.join(ROOT, "scripts/node-versions.mjs");
  const env = { ...process.env, NODE_BINARIES: process.execPath };
  const options = { env, encoding: "utf8", timeout: 50_000 } as const;
  const { stdout, status } = spawnSync(process.execPath, [script], options);
  expect(stdout.match(/over (fetch|node): 15 of 15/g)).toHaveLength(2);
  expect(status).toBe(0);
});
