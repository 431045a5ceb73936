// Runs all stored attack inputs again and fuzzes each boundary: `npm run attack
// [-- FILE…]`. The environment variable ATTACK_RUNS sets the number of inputs
// for each boundary (default: 10,000).
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const vitest = fileURLToPath(
  new URL("../node_modules/vitest/vitest.mjs", import.meta.url),
);
const args = [vitest, "run", "--project", "attack", ...process.argv.slice(2)];
const env = { ATTACK_RUNS: "10000", ...process.env };
const { status } = spawnSync(process.execPath, args, { stdio: "inherit", env });
process.exit(status ?? 1);
