import { knowledge } from "../schema/property-index.js";
import { compareVersions } from "../schema/versions.js";
import type { FileFacts } from "./settings.js";

/** What an upgrade is planned for. */
export interface PlanOptions {
  /** The overrides file of the new version. */
  readonly overrides: string;
  /** The overrides file of the old version. */
  readonly oldOverrides: string;
  readonly from: string;
  readonly to: string;
  readonly mode: "prod" | "demo";
  readonly platform?: string;
  /** What --dry-run takes. */
  readonly dryRun: "true" | "client";
  /** Version of the cluster's client. */
  readonly kubectl: string;
  /** The new control tool: a name to look up, or a path. */
  readonly tool: string;
  /** Folder of the new control tool, in which it runs. */
  readonly home?: string;
  /** Folder of the old control tool. */
  readonly oldHome?: string;
  /** Script that takes the old database down. */
  readonly cleanUp?: string;
  /** One step for all environments. */
  readonly allEnvs: boolean;
  readonly facts: FileFacts;
}

/** Why an upgrade between two versions is not planned; undefined where it is. */
export function refuseVersions(from: string, to: string): string | undefined {
  const { upgrade } = knowledge().table;
  if (!/^\d+\.\d+(\.(\d+|x))?$/.test(from) || !/^\d+\.\d+\.\d+$/.test(to))
    return "versions take the form 1.2.x or 1.3.6";
  const line = from.split(".").slice(0, 2).join(".");
  if (compareVersions(line, upgrade.from) < 0)
    return `${from} can't be upgraded to ${to} directly; upgrade to ${upgrade.from} first`;
  if (line !== upgrade.from)
    return `this plans upgrades from ${upgrade.from}.x, not from ${from}`;
  if (compareVersions(to, upgrade.to) < 0)
    return `an upgrade to ${to} is not supported; the first version to upgrade to is ${upgrade.to}`;
  if (!to.startsWith("1.3."))
    return `this plans upgrades to 1.3, not to ${to}; go to ${upgrade.to} first`;
  return undefined;
}
