import { propertyIndex } from "../schema/property-index.js";
import { compareVersions } from "../schema/versions.js";
import type { UpgradeSettings } from "./settings.js";

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
  const { upgrade } = propertyIndex().table;
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
