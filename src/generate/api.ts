import type { Diagnostic } from "../diagnostics/types.js";
import { runWith } from "./settings.js";
import { isChange, type Action } from "../write/plan.js";

export { load, type LoadResult } from "./read-model.js";

/** Settings of a run from a program; the same as on the command line. */
export interface GenerateOptions {
  /** Files, folders or globs. */
  readonly spec: string | readonly string[];
  readonly out: string;
  /** Default: `["client"]`. */
  readonly target?: readonly string[];
  /** Overwrite files that were not generated. Default: false. */
  readonly force?: boolean;
  /** Remove the output of targets that are not asked for. Default: false. */
  readonly prune?: boolean;
  /** Folder with templates that take the place of those of the same name. */
  readonly templates?: string;
  /** Suffix of relative imports. Default: `"js"`. */
  readonly importSuffix?: "js" | "ts" | "none";
  /** Copy the runtime into the output, or import it from this package. Default: `"copy"`. */
  readonly runtime?: "copy" | "package";
  /** Let "Required." and "Output only." in descriptions bind types. Default: false. */
  readonly trustProse?: boolean;
  /** Run your Prettier over the output. Default: `"none"`. */
  readonly formatter?: "none" | "prettier";
  /** Base of relative paths. Default: the working folder. */
  readonly cwd?: string;
}

/** What a run did, or would do. */
export interface GenerateResult {
  /** Paths relative to `out`. */
  readonly files: readonly { readonly path: string; readonly action: Action }[];
  readonly diagnostics: readonly Diagnostic[];
  /** Whether files differ from what they should be (before writing). */
  readonly changed: boolean;
}

/** Generates and writes. Bad input is in the diagnostics, never thrown. */
export function generate(options: GenerateOptions): Promise<GenerateResult> {
  return run(options, "write");
}

/** Compares the output with what would be written, and writes nothing. */
export function check(options: GenerateOptions): Promise<GenerateResult> {
  return run(options, "check");
}

async function run(
  options: GenerateOptions,
  mode: "write" | "check",
): Promise<GenerateResult> {
  const { spec } = options;
  const { plans, diagnostics } = await runWith({
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
