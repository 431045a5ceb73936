import type { Diagnostic } from "../diagnostics/types.js";
import { exportSettings } from "./api-settings.js";
import { loadPatches } from "./patch-files.js";
import { runGeneration, sameSettings } from "./settings.js";
import type { RuleLevels } from "../validate/rule.js";
import { isChange, type Action } from "../write/plan.js";
import type { ValidationResult } from "./validate-sources.js";

export { load, type LoadResult } from "./read-model.js";

/** Options for the code of an API. */
export interface DocumentOptions {
  /**
   * Makes properties required or read-only if their descriptions start with
   * "Required." or "Output only.". Default: false.
   */
  readonly trustProse?: boolean;
  /** Format of OpenAPI documents. Default: `"json"`. */
  readonly openapiFormat?: "json" | "yaml";
  /**
   * Writes a separate OpenAPI file for each path and schema. Default: false.
   */
  readonly openapiSplit?: boolean;
  /** Writes a separate file for each JSON Schema. Default: false. */
  readonly jsonSchemaSplit?: boolean;
}

/** Options for the form of the code in an output folder. */
export interface FormOptions {
  /**
   * Folder with templates that replace the built-in templates of the same name.
   */
  readonly templates?: string;
  /**
   * `js` writes JavaScript with declaration files instead of TypeScript.
   * Default: `"ts"`.
   */
  readonly emit?: "ts" | "js";
  /** Suffix of relative imports. Default: `"js"`. */
  readonly importSuffix?: "js" | "ts" | "none";
  /**
   * `copy` copies the runtime into the output; `package` imports it from this
   * package. Default: `"copy"`.
   */
  readonly runtime?: "copy" | "package";
  /**
   * Copies the modules for credentials (`runtime/auth`) into the output. Default:
   * false.
   */
  readonly auth?: boolean;
  /**
   * TypeScript files that start with `// @ts-nocheck`, so that the compiler does
   * not check them: none, the copied runtime, or all. Default: `"none"`.
   */
  readonly tsNocheck?: "none" | "runtime" | "all";
  /**
   * Formatter of the output. `prettier` uses the project's Prettier and its
   * settings. Default: `"none"`.
   */
  readonly formatter?: "none" | "prettier";
}

/** Options of `generate` and `check`. The command line has the same options. */
export interface GenerateOptions extends DocumentOptions, FormOptions {
  /**
   * Documents: files, folders, globs, URLs, or names with a version, such as
   * `drive:v3`.
   */
  readonly spec: string | readonly string[];
  readonly out: string;
  /** Names of the targets to generate. Default: `["client"]`. */
  readonly target?: readonly string[];
  /** Overwrites files that were not generated. Default: false. */
  readonly force?: boolean;
  /** Deletes the output of targets that are not in `target`. Default: false. */
  readonly prune?: boolean;
  /**
   * Selectors of the methods to generate, such as `compute.instances.*` or
   * `scope:drive.readonly`. Default: all methods.
   */
  readonly include?: readonly string[];
  /** Selectors of methods to exclude. Default: none. */
  readonly exclude?: readonly string[];
  /** Paths of patch files in YAML or JSON. Default: none. */
  readonly patches?: readonly string[];
  /**
   * URL of the directory service in which names such as `drive:v3` are looked
   * up. Default: the public directory.
   */
  readonly directory?: string;
  /**
   * Works without network access; remote documents are read from the cache.
   * Default: false.
   */
  readonly offline?: boolean;
  /** Allows http URLs. Default: false. */
  readonly allowHttp?: boolean;
  /**
   * Allows requests to the local machine and to private networks. Default:
   * false.
   */
  readonly allowPrivate?: boolean;
  /**
   * Folder against which relative paths are resolved. Default: the working
   * directory.
   */
  readonly cwd?: string;
}

/** Result of `generate` or `check`: output files and findings. */
export interface GenerateResult {
  /** Output files, with paths relative to `out`. */
  readonly files: readonly { readonly path: string; readonly action: Action }[];
  readonly diagnostics: readonly Diagnostic[];
  /**
   * True if, before the run, a file in `out` was missing or differed from its
   * generated content.
   */
  readonly changed: boolean;
}

/**
 * Generates code and writes it to the output folder. Invalid input is reported
 * as diagnostics, never thrown.
 */
export function generate(options: GenerateOptions): Promise<GenerateResult> {
  return run(options, "write");
}

/**
 * Compares the output with the code that `generate` would write; writes
 * nothing.
 */
export function check(options: GenerateOptions): Promise<GenerateResult> {
  return run(options, "check");
}

async function run(
  options: GenerateOptions,
  mode: "write" | "check",
): Promise<GenerateResult> {
  const { spec, target = ["client"], trustProse = false } = options;
  const { include, exclude, patches: files = [] } = options;
  const specs = typeof spec === "string" ? [spec] : spec;
  const { cwd = process.cwd() } = options;
  const { patches, diagnostics: invalid } = await loadPatches(files, cwd);
  if (invalid.length > 0)
    return { files: [], diagnostics: invalid, changed: false };
  const settings = {
    ...exportSettings(options),
    target,
    trustProse,
    include,
    exclude,
    patches,
  };
  const { plans, diagnostics } = await runGeneration({
    force: false,
    prune: false,
    importSuffix: "js",
    runtime: "copy",
    tsNocheck: "none",
    formatter: "none",
    ...options,
    cwd,
    specs: sameSettings(specs, settings),
    remote: { ...options, isOffline: options.offline },
    mode,
    showsInfo: true,
  });
  const changes = plans.flatMap((plan) =>
    plan.files.map(({ path, action }) => ({ path, action })),
  );
  return { files: changes, diagnostics, changed: changes.some(isChange) };
}

/** Options of `validate`, which checks documents. */
export interface ValidateOptions {
  /** Documents: files, folders or globs. */
  readonly spec: string | readonly string[];
  /** Severities, keyed by rule id or diagnostic code. */
  readonly rules?: RuleLevels;
  /**
   * Maximum number of findings of the same rule that are reported for one
   * document. Default: 20.
   */
  readonly limit?: number;
  /**
   * Folder against which relative paths are resolved. Default: the working
   * directory.
   */
  readonly cwd?: string;
}

/**
 * Checks documents with the diagnostics of the generator and with rules for API
 * authors.
 */
export async function validate(
  options: ValidateOptions,
): Promise<ValidationResult> {
  const { validateSources } = await import("./validate-sources.js");
  const { spec, rules: levels, limit, cwd } = options;
  const specs = typeof spec === "string" ? [spec] : spec;
  return validateSources(specs, { levels, limit, cwd });
}
