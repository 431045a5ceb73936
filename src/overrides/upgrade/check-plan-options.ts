import { visible } from "../../diagnostics/reporters/output.js";
import { PlanError } from "./commands.js";
import type { PlanOptions } from "./plan-options.js";

/**
 * Checks the option values that become part of commands. Rejects values that a
 * program could interpret as an option, and values with characters that are
 * unsafe in a terminal, a process argument or a step id. Error messages do not
 * contain the value, because it could be a secret that was passed as the wrong
 * option. Throws PlanError.
 */
export function checkPlanOptions(options: PlanOptions): void {
  const { settings } = options;
  const values: readonly (readonly [string, string | undefined])[] = [
    ["org", settings.org],
    ["gcp.projectID", settings.project],
    ["namespace", settings.namespace],
    ...settings.environments.map((name) => ["envs[].name", name] as const),
    ...settings.groups.map((name) => ["virtualhosts[].name", name] as const),
    ["the MART service account", settings.martAccount],
    ["the Watcher service account", settings.watcherAccount],
    ["watcher.serviceAccountPath", settings.watcherPath],
    ["watcher.serviceAccountRef", settings.watcherSecret],
    ["--overrides", options.overrides],
    ["--old-overrides", options.oldOverrides],
    ["--tool", options.tool],
    ["--home", options.home],
    ["--old-home", options.oldHome],
    ["--clean-up-script", options.cleanUp],
  ];
  for (const [key, value] of values)
    if (value !== undefined) checkArgument(key, value);
  for (const name of settings.environments)
    if (!/^\w[\w.-]*$/.test(name))
      throw new PlanError(
        "envs[].name must consist of letters, digits, hyphens, underscores and dots, and must not begin with a hyphen or dot",
      );
  const { replicas } = settings;
  if (!Number.isSafeInteger(replicas) || replicas < 1)
    throw new PlanError(
      "cassandra.replicaCount must be an integer of at least 1",
    );
}

function checkArgument(key: string, value: string): void {
  if (value.trim() === "") throw new PlanError(`${key} must not be empty`);
  if (value.startsWith("-"))
    throw new PlanError(
      `${key} must not begin with "-", because programs would read the value as an option`,
    );
  if (visible(value) !== value)
    throw new PlanError(`${key} must not contain control characters`);
}
