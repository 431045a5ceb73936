import { visible } from "../../diagnostics/reporters/output.js";
import { PlanError } from "./commands.js";
import type { PlanOptions } from "./plan-options.js";

/**
 * Refuses values that a program could read as an option, or that a terminal, a
 * process or a step's name can't hold. Values are not part of the message: a
 * misplaced secret may be among them. Throws PlanError.
 */
export function refuseValues(options: PlanOptions): void {
  const { facts } = options;
  const words: readonly (readonly [string, string | undefined])[] = [
    ["org", facts.org],
    ["gcp.projectID", facts.project],
    ["namespace", facts.namespace],
    ...facts.environments.map((name) => ["envs[].name", name] as const),
    ...facts.groups.map((name) => ["virtualhosts[].name", name] as const),
    ["the account of MART", facts.martAccount],
    ["the account of the watcher", facts.watcherAccount],
    ["watcher.serviceAccountPath", facts.watcherPath],
    ["watcher.serviceAccountRef", facts.watcherSecret],
    ["--overrides", options.overrides],
    ["--old-overrides", options.oldOverrides],
    ["--tool", options.tool],
    ["--home", options.home],
    ["--old-home", options.oldHome],
    ["--clean-up-script", options.cleanUp],
  ];
  for (const [key, value] of words)
    if (value !== undefined) refuseWord(key, value);
  for (const name of facts.environments)
    if (!/^\w[\w.-]*$/.test(name))
      throw new PlanError(
        "envs[].name must consist of letters, digits, hyphens, underscores and dots",
      );
  const { replicas } = facts;
  if (!Number.isSafeInteger(replicas) || replicas < 1)
    throw new PlanError("cassandra.replicaCount must be an integer, 1 or more");
}

function refuseWord(key: string, value: string): void {
  if (value.trim() === "") throw new PlanError(`${key} must not be empty`);
  if (value.startsWith("-"))
    throw new PlanError(
      `${key} must not begin with "-": programs would read it as an option`,
    );
  if (visible(value) !== value)
    throw new PlanError(`${key} must not contain control characters`);
}
