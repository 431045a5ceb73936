import { clientTarget } from "./client/index.js";
import { conformanceTarget } from "./conformance/index.js";
import { serverTarget } from "./server/index.js";
import type { Target } from "./target.js";
import { validatorTarget } from "./validator/index.js";

/** All targets, in the order in which they print. */
export const targets: readonly Target[] = [
  clientTarget,
  validatorTarget,
  serverTarget,
  conformanceTarget,
];

/** The targets of the given names, and those that they need. */
export function targetsOf(names: readonly string[]): Target[] {
  const wanted = new Set(names);
  for (const { name, implies = [] } of targets)
    if (wanted.has(name)) for (const implied of implies) wanted.add(implied);
  return targets.filter(({ name }) => wanted.has(name));
}

/** The file that each target prints for every API that has something to print. */
const MAIN_FILES: Readonly<Record<string, string>> = {
  client: "client.ts",
  validator: "validators.ts",
  server: "server.ts",
  conformance: "conformance.ts",
};

/** Names of the targets to which files of an API's folder belong. */
export function targetsIn(files: Readonly<Record<string, unknown>>): string[] {
  return targets
    .map(({ name }) => name)
    .filter((name) => Object.hasOwn(files, MAIN_FILES[name]!));
}

/** Folders of the runtime that targets import from, each once. */
export function runtimesOf(list: readonly Target[]): Set<string> {
  return new Set(
    list.flatMap(({ runtime, borrows = [] }) => [runtime, ...borrows]),
  );
}
