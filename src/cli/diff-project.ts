import { statSync } from "node:fs";
import path from "node:path";
import { documentFile } from "../config/api-name.js";
import { findConfig } from "../config/find-config.js";
import { loadConfig } from "../config/load-config.js";
import { LOCK_FILE } from "../config/resolve-jobs.js";
import { Sink } from "../diagnostics/sink.js";
import type { DiffSection } from "../config/gen-config.js";
import type { JobApi, ResolvedConfig } from "../config/job.js";
import type { Comparisons, EditDocument, EditPair } from "../diff/compare.js";
import { addUses } from "../diff/uses/index.js";
import type { FindProject } from "../diff/lock-operands.js";
import { AUDIENCES, type Audience } from "../diff/severity.js";
import type { ApiOutputFolder, UserCode } from "../diff/uses/types.js";
import { toPosix } from "../platform/paths.js";

/** Config of a project, as far as comparisons of its documents need it. */
export interface DiffConfig {
  /** Policy about changes. */
  readonly section: DiffSection;
  /** Audiences of the targets of the config; absent if there is no config. */
  readonly audiences?: readonly Audience[];
  /** Path of the config file in messages. */
  readonly file?: string;
  /** Output folders of the APIs of the config. */
  readonly outputs: readonly ApiOutputFolder[];
  /** Edits documents of the config as generation does. */
  readonly editPair?: EditPair;
}

/**
 * Reads what comparisons need of the config in the working directory. Reports an
 * invalid config.
 */
export async function readDiffConfig(
  cwd: string,
  sink: Sink,
): Promise<DiffConfig> {
  if (findConfig(cwd, undefined, new Sink(), false) === undefined)
    return { section: {}, outputs: [] };
  const { file, resolved, diagnostics } = await loadConfig({ cwd });
  sink.diagnostics.push(
    ...diagnostics.filter(({ code }) => code !== "config-empty"),
  );
  if (resolved === undefined) return { section: {}, outputs: [] };
  return diffConfigOf(resolved, file, cwd);
}

/** Tests whether all operands are files, which need no config. */
export function areFiles(documents: readonly string[], cwd: string): boolean {
  return (
    documents.length > 0 &&
    documents.every((name) => {
      const stats = statSync(path.resolve(cwd, name), {
        throwIfNoEntry: false,
      });
      return stats?.isFile() === true;
    })
  );
}

/** Returns what comparisons need of a config. */
export async function diffConfigOf(
  resolved: ResolvedConfig,
  file: string | undefined,
  cwd: string,
): Promise<DiffConfig> {
  const apis = resolved.jobs.flatMap((job) => job.apis);
  return {
    section: resolved.diff,
    audiences: audiencesOf(apis.flatMap(({ settings }) => settings.target)),
    ...(file === undefined ? {} : { file: path.relative(cwd, file) }),
    outputs: resolved.jobs.flatMap(({ out, apis: list }) =>
      list.map(({ id: api }) => ({ api, out })),
    ),
    editPair: await editorOf(apis, cwd),
  };
}

/**
 * Returns the code of `--uses`, or of `diff.uses` in the config; undefined if
 * neither is set.
 */
export function userCode(
  patterns: readonly string[] | undefined,
  { section, outputs }: DiffConfig,
  cwd: string,
): UserCode | undefined {
  const globs = patterns ?? [section.uses ?? []].flat();
  return globs.length === 0 ? undefined : { cwd, patterns: globs, outputs };
}

/** Adds the positions in the user's code that changes affect. */
export async function withUses(
  compared: Comparisons,
  code: UserCode | undefined,
  trustProse?: boolean,
): Promise<Comparisons> {
  if (code === undefined || compared.comparisons.length === 0) return compared;
  const sink = new Sink();
  const comparisons = await addUses(
    compared.comparisons,
    code,
    sink,
    trustProse,
  );
  const diagnostics = [...compared.diagnostics, ...sink.diagnostics];
  return { ...compared, comparisons, diagnostics };
}

/** Option `--specs` of commands that read the documents of a project. */
export const SPECS_OPTION = {
  name: "specs",
  kind: "text",
  value: "dir",
  description:
    "folder of fetched documents (default: the folder in the config, or ./specs)",
} as const;

/** Option `--uses` of commands that compare documents. */
export const USES_OPTION = {
  name: "uses",
  kind: "list",
  value: "glob",
  description:
    "TypeScript and JavaScript files that use the generated code; changes that affect them come first, with positions (needs ts-morph); repeatable",
} as const;

/** Returns the audiences that code of the given targets has. */
function audiencesOf(targets: readonly string[]): readonly Audience[] {
  const hasServer = targets.includes("server");
  const isOnlyServer = targets.every((target) => target === "server");
  return AUDIENCES.filter((audience) =>
    audience === "server" ? hasServer : !isOnlyServer,
  );
}

/**
 * Returns a function that applies the patches and the method selection of an API
 * to both of its documents. Documents stay unchanged if a patch does not apply
 * to one of them, or if several entries of the config differ.
 */
async function editorOf(
  apis: readonly JobApi[],
  cwd: string,
): Promise<EditPair> {
  const { applyPatches } = await import("../patch/apply-patches.js");
  const { readPatches } = await import("../patch/read-patches.js");
  const { selectMethods } = await import("../select/select-methods.js");
  const editors = new Map<string, EditDocument | undefined>();
  for (const { id, patches, settings } of apis) {
    const { include = [], exclude = [] } = settings;
    if (patches.length + include.length + exclude.length === 0)
      editors.set(id, undefined);
    else if (!editors.has(id)) {
      const files = await readPatches(patches, cwd, new Sink());
      editors.set(id, (document, _name, sink) => {
        const patched = applyPatches(document, files, sink).document;
        return sink.hasErrors
          ? undefined
          : selectMethods(patched, { include, exclude }, sink);
      });
    } else editors.set(id, undefined);
  }
  return (old, now) => {
    const edit = editors.get(`${now.name}:${now.version}`);
    const sink = new Sink();
    const edited = [old, now].map((document) => edit?.(document, "", sink));
    const [before, after] = edited;
    return before === undefined || after === undefined || sink.hasErrors
      ? undefined
      : [before, after];
  };
}

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
