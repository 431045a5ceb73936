import type { ResolvedConfig } from "../config/job.js";
import { loadWithPackage } from "../platform/optional-package.js";
import { ProjectApis } from "./project-apis.js";
import type { MigratedFile } from "./types.js";

export type { MigratedFile, Todo } from "./types.js";

/** Options of `migrateGoogleapis`. */
export interface MigrateOptions {
  readonly cwd: string;
  /** Globs of TypeScript and JavaScript files, relative to `cwd`. */
  readonly patterns: readonly string[];
  /** Config of the project; undefined if it has none. */
  readonly config: ResolvedConfig | undefined;
  /** True to import classes of google-auth-library instead of `runtime/auth`. */
  readonly keepAuth: boolean;
}

export interface MigrateResult {
  readonly files: readonly MigratedFile[];
  /** Number of files that match the globs. */
  readonly matched: number;
  /** APIs that the config does not contain, as `name:version`. */
  readonly missing: readonly string[];
  /** APIs without a document, whose names in code are guessed. */
  readonly guessed: readonly string[];
}

/**
 * Migrates code from googleapis to generated clients. Writes nothing.
 * @throws MissingPackageError if ts-morph is not installed
 */
export async function migrateGoogleapis({
  cwd,
  patterns,
  config,
  keepAuth,
}: MigrateOptions): Promise<MigrateResult> {
  const { migrateFiles } = await loadWithPackage(
    "ts-morph",
    "gen migrate",
    () => import("./migrate.js"),
  );
  const apis = new ProjectApis(config, cwd);
  const { files, matched } = migrateFiles(patterns, cwd, {
    findApi: apis.find,
    runtime: apis.runtime,
    keepAuth,
  });
  return {
    files,
    matched,
    missing: [...apis.missing],
    guessed: [...apis.guessed],
  };
}
