import type { Emit } from "./shared/target-options.js";
import { clientTarget } from "./client/index.js";
import { conformanceTarget } from "./conformance/index.js";
import { jsonSchemaTarget } from "./json-schema/index.js";
import { openapiTarget } from "./openapi/index.js";
import { serverTarget } from "./server/index.js";
import type { Target } from "./target.js";
import { validatorTarget } from "./validator/index.js";

/** All targets, in the order in which their output is generated. */
export const targets: readonly Target[] = [
  clientTarget,
  validatorTarget,
  serverTarget,
  conformanceTarget,
  openapiTarget,
  jsonSchemaTarget,
];

/**
 * Returns the targets with the given names and the targets on which they
 * depend, in the order in which the targets are generated.
 */
export function targetsOf(names: readonly string[]): Target[] {
  const wanted = new Set(names);
  for (const target of targets)
    if ("implies" in target && wanted.has(target.name))
      for (const implied of target.implies ?? []) wanted.add(implied);
  return targets.filter(({ name }) => wanted.has(name));
}

/**
 * Map from each target that generates code to a module that only this target
 * generates.
 */
const MAIN_MODULES: Readonly<Record<string, string>> = {
  client: "client",
  validator: "validators",
  server: "server",
  conformance: "conformance",
};

/** Languages of generated modules. */
const EMITS: readonly Emit[] = ["ts", "js"];

/**
 * Map from target to files that identify its output. At least one of these
 * files exists in the output of the target, and none of them exists in the
 * output of other targets.
 */
const MAIN_FILES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(MAIN_MODULES).map(([target, module]) => [
      target,
      EMITS.map((emit) => `${module}.${emit}`),
    ]),
  ),
  openapi: ["openapi.json", "openapi.yaml"],
  "json-schema": ["schemas.json"],
};

/**
 * Returns the names of the targets whose output is in an API's folder.
 * @param files files in the folder, keyed by name
 */
export function targetsIn(files: Readonly<Record<string, unknown>>): string[] {
  return targets
    .map(({ name }) => name)
    .filter((name) =>
      MAIN_FILES[name]!.some((file) => Object.hasOwn(files, file)),
    );
}

/**
 * Returns the languages of the modules in an API's folder.
 * @param files files in the folder, keyed by name
 */
export function emitsIn(files: Readonly<Record<string, unknown>>): Emit[] {
  return EMITS.filter((emit) =>
    Object.values(MAIN_MODULES).some((module) =>
      Object.hasOwn(files, `${module}.${emit}`),
    ),
  );
}

/**
 * Runtimes that the output needs, keyed by name. The value is a list of modules
 * without suffix, or `all`.
 */
export type NeededRuntimes = ReadonlyMap<string, readonly string[] | "all">;

/** Returns the runtimes that the output of targets imports. */
export function runtimesOf(list: readonly Target[]): NeededRuntimes {
  const code = list.filter((target) => "runtime" in target);
  return new Map<string, readonly string[] | "all">([
    ...code.flatMap(({ borrows = {} }) => Object.entries(borrows)),
    ...code.map(({ runtime }) => [runtime, "all"] as const),
  ]);
}
