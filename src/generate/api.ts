import type { Diagnostic } from "../diagnostics/types.js";
import { runGeneration } from "./settings.js";
import { isChange, type Action } from "../write/plan.js";

export { load, type LoadResult } from "./read-model.js";

/** Options of `generate` and `check`, equal to those of the command line. */
export interface GenerateOptions {
  /** Files, folders or globs. */
  readonly spec: string | readonly string[];
  readonly out: string;
  /** Default: `["client"]`. */
  readonly target?: readonly string[];
  /** Overwrites files that were not generated. Default: false. */
  readonly force?: boolean;
  /** Removes the output of targets that are not in `target`. Default: false. */
  readonly prune?: boolean;
  /** Folder with templates that replace those of the same name. */
  readonly templates?: string;
  /** Suffix of relative imports. Default: `"js"`. */
  readonly importSuffix?: "js" | "ts" | "none";
  /** Copies the runtime into the output, or imports it from this package. Default: `"copy"`. */
  readonly runtime?: "copy" | "package";
  /** Lets "Required." and "Output only." in descriptions bind types. Default: false. */
  readonly trustProse?: boolean;
  /** Formats the output with the Prettier of your project. Default: `"none"`. */
  readonly formatter?: "none" | "prettier";
  /** Base of relative paths. Default: the working directory. */
  readonly cwd?: string;
}

/** Files and findings of a run. */
export interface GenerateResult {
  /** Paths relative to `out`. */
  readonly files: readonly { readonly path: string; readonly action: Action }[];
  readonly diagnostics: readonly Diagnostic[];
  /** True if files differed from the generated ones before the run. */
  readonly changed: boolean;
}

/** Generates code and writes it. Invalid input is reported as diagnostics, never thrown. */
export function generate(options: GenerateOptions): Promise<GenerateResult> {
  return run(options, "write");
}

/** Compares the output with the code that `generate` would write; writes nothing. */
export function check(options: GenerateOptions): Promise<GenerateResult> {
  return run(options, "check");
}

async function run(
  options: GenerateOptions,
  mode: "write" | "check",
): Promise<GenerateResult> {
  const { spec } = options;
  const { plans, diagnostics } = await runGeneration({
    target: ["client"],
    force: false,
    prune: false,
    importSuffix: "js",
    runtime: "copy",
    trustProse: false,
    formatter: "none",
    cwd: process.cwd(),
    ...options,
    spec: typeof spec === "string" ? [spec] : spec,
    mode,
    locateInfo: true,
  });
  const files = plans.flatMap((plan) =>
    plan.files.map(({ path, action }) => ({ path, action })),
  );
  return { files, diagnostics, changed: files.some(isChange) };
}
