import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { ConfigResult } from "../load-config.js";

/** Result of a check of `gen doctor`. */
export interface CheckResult {
  readonly status: "ok" | "warning" | "error";
  readonly message: string;
  /** Instruction for fixing the problem. */
  readonly fix?: string;
}

/** Working directory, environment variables and config to check. */
export interface CheckContext {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly config: ConfigResult;
}

/** Check of a project. It does not change files or access the network. */
export interface Check {
  readonly name: string;
  readonly run: (
    context: CheckContext,
  ) => readonly CheckResult[] | Promise<readonly CheckResult[]>;
}

/** Returns a result that reports no problem. */
export function ok(message: string): CheckResult {
  return { status: "ok", message };
}

/** Returns a result with a problem that does not prevent generation. */
export function warning(message: string, fix: string): CheckResult {
  return { status: "warning", message, fix };
}

/** Returns a result with a problem that prevents generation. */
export function error(message: string, fix: string): CheckResult {
  return { status: "error", message, fix };
}

/** Returns the version of a package that is installed in a project. */
export function installedVersion(
  name: string,
  cwd: string,
): string | undefined {
  try {
    const require = createRequire(path.join(cwd, "index.js"));
    const file = require.resolve(`${name}/package.json`);
    const { version } = JSON.parse(readFileSync(file, "utf8")) as {
      readonly version?: unknown;
    };
    return typeof version === "string" && /^\d+\.\d[\w.+-]*$/.test(version)
      ? version
      : undefined;
  } catch {
    return undefined;
  }
}
