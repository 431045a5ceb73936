import { clientTarget } from "./client/index.js";
import { conformanceTarget } from "./conformance/index.js";
import { serverTarget } from "./server/index.js";
import type { Target } from "./target.js";
import { validatorTarget } from "./validator/index.js";

/** All targets, in printing order. */
export const targets: readonly Target[] = [
  clientTarget,
  validatorTarget,
  serverTarget,
  conformanceTarget,
];

/**
 * Returns the named targets and the targets that they imply, in printing order.
 */
export function targetsOf(names: readonly string[]): Target[] {
  const wanted = new Set(names);
  for (const { name, implies = [] } of targets)
    if (wanted.has(name)) for (const implied of implies) wanted.add(implied);
  return targets.filter(({ name }) => wanted.has(name));
}

/** File that identifies the output of a target. */
const MAIN_FILES: Readonly<Record<string, string>> = {
  client: "client.ts",
  validator: "validators.ts",
  server: "server.ts",
  conformance: "conformance.ts",
};

/** Returns the names of the targets whose output is in an API's folder. */
export function targetsIn(files: Readonly<Record<string, unknown>>): string[] {
  return targets
    .map(({ name }) => name)
    .filter((name) => Object.hasOwn(files, MAIN_FILES[name]!));
}

/** Returns the names of the runtimes that the output of targets imports. */
export function runtimesOf(list: readonly Target[]): Set<string> {
  return new Set(
    list.flatMap(({ runtime, borrows = [] }) => [runtime, ...borrows]),
  );
}
