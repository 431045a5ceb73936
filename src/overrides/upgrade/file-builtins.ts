import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { formatCount } from "../../diagnostics/format-count.js";
import { propertyIndex } from "../schema/property-index.js";
import {
  checkFile,
  resolveCheckOptions,
  type CheckResult,
} from "../validate.js";
import type { BuiltinContext } from "./builtin-context.js";
import { hasSeedHost } from "./seed-host.js";
import { readUpgradeSettings } from "./settings.js";

/**
 * Validates the overrides file (steps P9 and D6). Step P9 also checks that
 * files named in the settings exist.
 */
export function validateFile(
  { options, cwd, print }: BuiltinContext,
  phase?: "final",
): void {
  const { overrides, mode, home } = options;
  const bytes = readFileSync(path.resolve(cwd, overrides));
  const target = propertyIndex().table.defaultTarget;
  const folder = path.resolve(cwd, home ?? ".");
  const checked = checkFile(
    overrides,
    bytes,
    resolveCheckOptions(target, {
      mode,
      ...(phase === undefined
        ? { fileExists: (name) => existsSync(path.resolve(folder, name)) }
        : { phase }),
    }),
  );
  const errors = checked.diagnostics.filter(
    ({ severity, code }) => severity === "error" || code === "S09",
  );
  for (const { line, column, code, message } of errors)
    print(`${overrides}:${line}:${column}: ${code}: ${message}`);
  if (errors.length > 0)
    throw new Error(`${overrides} has ${formatCount(errors.length, "error")}`);
  if (phase === "final" && hasSeedHost(path.resolve(cwd, overrides)))
    throw new Error(
      "cassandra.externalSeedHost is still in the overrides file; run step D2",
    );
}

/**
 * Checks that `cassandra.externalSeedHost` is set (step C4). Without this key,
 * the new database nodes would form a separate, empty Cassandra ring.
 */
export function checkSeedHost({ options, cwd }: BuiltinContext): void {
  if (!hasSeedHost(path.resolve(cwd, options.overrides)))
    throw new Error(
      "cassandra.externalSeedHost is not in the overrides file; run step C1",
    );
}

/**
 * Checks the overrides file of the old version before the old resources are
 * deleted (step D3). `apigeectl` deletes every resource that this file
 * describes, so a wrong file would delete resources that are still needed.
 */
export function checkOldOverrides({
  options,
  cwd,
  oldResources,
}: BuiltinContext): void {
  if (oldResources() === undefined)
    throw new Error(
      "the resources of the old runtime were not recorded; run step C0",
    );
  const { oldOverrides, settings } = options;
  const file = path.resolve(cwd, oldOverrides);
  let checked: CheckResult;
  try {
    checked = checkFile(file, readFileSync(file), resolveCheckOptions("1.2"));
  } catch (error) {
    throw new Error(`--old-overrides: ${(error as Error).message}`);
  }
  const { root, detected } = checked;
  if (root === undefined || detected.version !== "1.2")
    throw new Error(
      `${oldOverrides} must be an overrides file for version 1.2; its detected version is ${detected.version} (${detected.evidence})`,
    );
  const { org } = readUpgradeSettings(root, cwd);
  if (org !== settings.org)
    throw new Error(
      `${oldOverrides} must be for the organization ${settings.org}`,
    );
}
