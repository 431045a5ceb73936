// Measures all figures of bench/README.md, one after the other; tests are never
// timed. Usage: npm run bench [-- rounds]
import { spawnSync } from "node:child_process";
import path from "node:path";
import { ROOT } from "./support.mjs";

for (const name of ["generate", "consumer", "peers", "client", "validators"]) {
  const { status } = spawnSync(
    process.execPath,
    [path.join(ROOT, `bench/${name}.mjs`), ...process.argv.slice(2)],
    { stdio: "inherit" },
  );
  if (status !== 0) process.exitCode = 1;
}
