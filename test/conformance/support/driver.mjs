// Runs the checks of modules conformance.js, each given as `name=path`, and
// prints a line of JSON for each: how many there were, and what differed.
import { pathToFileURL } from "node:url";

/** Limit of reported differences of one check. */
const TOLD = 50;

for (const argument of process.argv.slice(2)) {
  const [name, path] = argument.split("=");
  const { conformance } = await import(pathToFileURL(path).href);
  const checks = conformance();
  const bodiless = new Set(
    checks
      .filter(({ leavesOut }) => leavesOut === "body")
      .map(({ method }) => method),
  );
  const found = [];
  const failed = [];
  for (const check of checks) {
    try {
      const differences = await check.run();
      found.push(...differences.slice(0, TOLD).map(flat));
    } catch (error) {
      failed.push(`${check.name}: ${error.stack ?? error}`);
    }
  }
  console.log(
    JSON.stringify({
      name,
      checks: checks.length,
      bodiless: [...bodiless],
      found,
      failed,
    }),
  );
}

/** Replaces values that JSON would drop. */
function flat({ expected, got, ...rest }) {
  return { ...rest, expected: text(expected), got: text(got) };
}

function text(value) {
  return String(JSON.stringify(value)).slice(0, 500);
}
