// Runs benches, one after the other; bench/README.md has their figures. Tests are
// never timed. Usage: npm run bench [-- name...] [rounds]
import { spawnSync } from "node:child_process";
import path from "node:path";
import { ROOT } from "./support.mjs";

/** Programs by name, with their rounds. */
const BENCHES = {
  // Families compared with others, which write results, charts and README.md.
  generators: ["families/generators.mjs"],
  types: ["families/types.mjs"],
  editor: ["families/editor.mjs"],
  bundle: ["families/bundle.mjs"],
  calls: ["families/calls.mjs"],
  servers: ["server.mjs"],
  validators: ["validators.mjs"],
  services: ["families/services.mjs"],
  // Others, which print their figures.
  generate: ["generate.mjs", "5"],
  scale: ["scale.mjs"],
  churn: ["churn.mjs"],
  year: ["year.mjs"],
  consumer: ["consumer.mjs", "2"],
  memory: ["client.mjs", "memory"],
  overrides: ["overrides.mjs"],
  mock: ["mock.mjs"],
  migrate: ["migrate.mjs", "3"],
};

const args = process.argv.slice(2);
const rounds = args.filter((word) => /^[1-9]\d*$/.test(word));
const names = args.filter((word) => !rounds.includes(word));
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  const known = Object.keys(BENCHES).join(", ");
  console.error(`unknown bench ${unknown[0]}; expected: ${known}`);
  process.exit(2);
}

for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
  console.log(`\n## ${name}`);
  const [file, ...defaults] = BENCHES[name];
  const program = path.join(ROOT, "bench", file);
  const words = defaults.filter((word) => !/^\d+$/.test(word));
  const given = rounds.length > 0 ? [...words, ...rounds] : defaults;
  const start = performance.now();
  const { status } = spawnSync(process.execPath, [program, ...given], {
    stdio: "inherit",
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`\n${name}: ${seconds} s`);
  if (status !== 0) process.exitCode = 1;
}
