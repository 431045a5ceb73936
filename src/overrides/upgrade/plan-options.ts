import { upgrade } from "#built/overrides.js";
import { compareVersions } from "../../runtime/rules/versions.js";
import type { UpgradeSettings } from "./settings.js";
import { visible } from "../../diagnostics/invisible.js";

/**
 * Error for options that make an upgrade plan impossible. The message contains
 * the option and the reason.
 */
export class PlanError extends Error {}

/** Options for planning an upgrade. */
export interface PlanOptions {
  /** Path of the overrides file for the new version. */
  readonly overrides: string;
  /** Path of the overrides file for the old version. */
  readonly oldOverrides: string;
  readonly from: string;
  readonly to: string;
  readonly mode: "prod" | "demo";
  readonly platform?: string;
  /** Value that `apigeectl` accepts for `--dry-run`. */
  readonly dryRun: "true" | "client";
  /** Version of the installed kubectl. */
  readonly kubectl: string;
  /** New version of `apigeectl`: a program name on the PATH, or a path. */
  readonly tool: string;
  /** Folder of the new `apigeectl`, in which its commands run. */
  readonly home?: string;
  /** Folder of the old `apigeectl`. */
  readonly oldHome?: string;
  /** Path of the script that removes the old database. */
  readonly cleanUp?: string;
  /** True to install all environments in a single step. */
  readonly allEnvs: boolean;
  readonly settings: UpgradeSettings;
}

/**
 * Returns the reason why an upgrade between two versions is not supported;
 * undefined if it is supported.
 */
export function versionProblem(from: string, to: string): string | undefined {
  if (!/^\d+\.\d+(\.(\d+|x))?$/.test(from) || !/^\d+\.\d+\.\d+$/.test(to))
    return "the old version must have the form 1.2.x, and the new version the form 1.3.6";
  const line = from.split(".").slice(0, 2).join(".");
  if (compareVersions(line, upgrade.from) < 0)
    return `${from} can't be upgraded to ${to} directly; upgrade to ${upgrade.from} first`;
  if (line !== upgrade.from)
    return `upgrades from ${from} are not supported, only from ${upgrade.from}.x`;
  if (compareVersions(to, upgrade.to) < 0)
    return `upgrades to ${to} are not supported; the first supported version is ${upgrade.to}`;
  if (!to.startsWith("1.3."))
    return `upgrades to ${to} are not supported, only to 1.3; upgrade to ${upgrade.to} first`;
  return undefined;
}

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
