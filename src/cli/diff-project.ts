import path from "node:path";
import { documentFile } from "../config/api-name.js";
import { findConfig } from "../config/find-config.js";
import { loadConfig } from "../config/load-config.js";
import { LOCK_FILE } from "../config/resolve-jobs.js";
import type { Sink } from "../diagnostics/sink.js";
import type { FindProject } from "../diff/lock-operands.js";
import { toPosix } from "../platform/paths.js";

/**
 * Returns a function that finds the lock file and the documents of a project
 * folder. If the folder contains no config, its documents are in the subfolder
 * `specs`.
 * @param specs folder of the documents, relative to the working directory; takes
 * precedence over the config
 * @param noConfig true to ignore config files
 */
export function projectFinder(
  specs: string | undefined,
  cwd: string,
  noConfig = false,
): FindProject {
  return async (folder, sink) => {
    const { documents, files } = noConfig
      ? {}
      : await configured(folder, cwd, sink);
    if (sink.hasErrors) return undefined;
    const from = (name: string): string => slashed(path.join(folder, name));
    const shown =
      specs === undefined ? undefined : slashed(path.normalize(specs));
    const chosen = shown ?? documents ?? from("specs");
    return {
      lockFile: from(LOCK_FILE),
      specs: chosen,
      fileOf: (label) =>
        files?.get(label) ?? path.posix.join(chosen, documentFile(label)),
    };
  };
}

/**
 * Folder of fetched documents, and a map from labels to the paths of local
 * documents.
 */
interface Configured {
  readonly documents?: string;
  readonly files?: ReadonlyMap<string, string>;
}

/** Reads the config of a folder, if one exists. Reports an invalid config. */
async function configured(
  folder: string,
  cwd: string,
  sink: Sink,
): Promise<Configured> {
  const base = path.resolve(cwd, folder);
  const file = findConfig(base, undefined, sink, false);
  if (file === undefined) return {};
  const config = path.relative(cwd, file);
  const { resolved, diagnostics } = await loadConfig({ cwd, config });
  sink.diagnostics.push(
    ...diagnostics.filter(({ code }) => code !== "config-empty"),
  );
  if (resolved === undefined) return {};
  const apis = resolved.jobs.flatMap((job) => job.apis);
  return {
    documents: slashed(resolved.specs),
    files: new Map(
      apis
        .filter(({ isFetched }) => !isFetched)
        .map(({ id, file: local }) => [id, slashed(local)]),
    ),
  };
}

function slashed(name: string): string {
  return toPosix(name);
}
