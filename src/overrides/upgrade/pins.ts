import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { kubectlCommand } from "./commands.js";
import type { CommandResult } from "./execute.js";
import type { PlanOptions } from "./plan-options.js";
import type { StepCommand } from "./step.js";

/** Values that must not change between runs, keyed by name. */
export type Pins = Readonly<Record<string, string>>;

type Ask = (command: StepCommand) => Promise<CommandResult>;

/** Value that is recorded for an option that was not passed. */
const ABSENT = "not given";

const OLD_CONTENT = "SHA-256 of the old overrides file";
const TOOL_VERSION = "version of apigeectl";

/**
 * Returns the folders and files that are set by options. These values are
 * compared between runs.
 */
export function optionPins(
  { home = ABSENT, oldHome = ABSENT, oldOverrides }: PlanOptions,
  cwd: string,
): Pins {
  const content = digestOf(path.resolve(cwd, oldOverrides));
  return {
    "--home": home,
    "--old-home": oldHome,
    "--old-overrides": oldOverrides,
    ...(content === undefined ? {} : { [OLD_CONTENT]: content }),
  };
}

function digestOf(file: string): string | undefined {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex");
  } catch {
    return undefined;
  }
}

/**
 * Returns the kubectl context, which determines the cluster. The value is empty
 * if no context is set.
 */
export async function contextPin(ask: Ask): Promise<Pins> {
  const { code, stdout } = await ask(
    kubectlCommand("config", "current-context"),
  );
  const context = stdout.trim();
  return code === 0 && context !== "" ? { "kubectl context": context } : {};
}

/**
 * Returns the path of `apigeectl` and its version. Rejects if the plan requires
 * a different version.
 */
export async function toolPins(
  { tool, home, to }: PlanOptions,
  ask: Ask,
): Promise<Pins> {
  const argv = [tool, "version"];
  const { code, stdout } = await ask(
    home === undefined ? { argv } : { argv, folder: home },
  );
  const version = /\bv?(\d+\.\d+\.\d+)\b/.exec(stdout)?.[1];
  if (code !== 0 || version === undefined) return { "--tool": tool };
  if (version !== to)
    throw new Error(`${tool} must be version ${to}; it is ${version}`);
  return { "--tool": tool, [TOOL_VERSION]: version };
}

/**
 * Describes how the values of this run differ from those of earlier runs;
 * returns undefined if they are equal.
 */
export function pinDifference(before: Pins, now: Pins): string | undefined {
  const different = Object.entries(now).flatMap(([name, value]) => {
    const old = before[name];
    const isNew =
      old === undefined || (name === "--old-home" && old === ABSENT);
    return isNew || old === value
      ? []
      : [`${name} was ${old} and is now ${value}`];
  });
  return different.length === 0 ? undefined : different.join("; ");
}
