// Runs benches, one after the other; bench/README.md has their figures. Tests are
// never timed. Usage: npm run bench [-- name...] [rounds]
import { spawnSync } from "node:child_process";
import path from "node:path";
import { ROOT } from "./support.mjs";

const NAMES = [
  "generate",
  "consumer",
  "types",
  "peers",
  "client",
  "server",
  "validators",
  "services-directory",
  "services-chat",
  "services-marketplace",
  "overrides",
];

const args = process.argv.slice(2);
const rounds = args.filter((word) => /^[1-9]\d*$/.test(word));
const names = args.filter((word) => !rounds.includes(word));
const unknown = names.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`unknown bench ${unknown[0]}; expected: ${NAMES.join(", ")}`);
  process.exit(2);
}

for (const name of names.length > 0 ? names : NAMES) {
  console.log(`\n## ${name}`);
  const { status } = spawnSync(
    process.execPath,
    [
      path.join(ROOT, `bench/${name}.mjs`),
      // The arguments of services are counts of items, not rounds.
      ...(name.startsWith("services-") ? [] : rounds),
    ],
    { stdio: "inherit" },
  );
  if (status !== 0) process.exitCode = 1;
}
