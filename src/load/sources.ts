import { readdirSync, statSync, type Dirent, type Stats } from "node:fs";
import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import {
  readFileLimited,
  readStandardInput,
} from "../platform/read-limited.js";
import { isUrl } from "../platform/is-url.js";
import { toPosix } from "../platform/paths.js";

/**
 * Source from which a document can be read: a file, a remote document or
 * standard input.
 */
export interface Source {
  /**
   * Name for diagnostics. The name of a file is a relative path if the `--spec`
   * argument is relative, otherwise an absolute path.
   */
  readonly name: string;
  /**
   * `--spec` argument that selects the document, such as the path of the
   * document or of its folder.
   */
  readonly spec: string;
  /** Absolute path of the file; absent for standard input. */
  readonly path?: string;
  /** Reads the bytes of the document. Throws file system errors. */
  read(): Buffer;
}

/**
 * Function that fetches a document by URL or by name and version. Reports
 * failures and returns undefined.
 */
export type ResolveRemote = (
  spec: string,
  sink: Sink,
) => Promise<Buffer | undefined>;

/** Sources of a run, and findings about the `--spec` arguments. */
export interface Listing {
  readonly sources: readonly Source[];
  /** `--spec` arguments for which all documents were found without an error. */
  readonly listed: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Lists the sources of `--spec` arguments. An argument is a file, a folder (all
 * .json files below it), a glob, a URL, `name:version`, or `-` for standard
 * input. Sources are in the order of the arguments; those of the same argument
 * are sorted by name. Each file is listed once.
 * @param resolveRemote absent if the caller supports only files
 */
export async function listSources(
  specs: readonly string[],
  cwd: string = process.cwd(),
  resolveRemote?: ResolveRemote,
): Promise<Listing> {
  const sources = new Map<string, Source>();
  const diagnostics: Diagnostic[] = [];
  const listed = new Set<string>();
  for (const spec of specs) {
    const sink = new Sink(spec);
    const matches = await listSpec(spec, cwd, sink, resolveRemote);
    if (!sink.hasErrors && matches.length > 0) listed.add(spec);
    for (const source of matches) {
      const key = source.path ?? source.name;
      if (!sources.has(key)) sources.set(key, source);
    }
    diagnostics.push(...sink.diagnostics);
  }
  return { sources: [...sources.values()], listed, diagnostics };
}

async function listSpec(
  spec: string,
  cwd: string,
  sink: Sink,
  resolveRemote?: ResolveRemote,
): Promise<Source[]> {
  if (spec === "-") return [{ name: "-", spec, read: readStandardInput }];
  if (isUrl(spec)) return listRemote(spec, sink, resolveRemote);
  // An empty path would resolve to the working directory. It is treated as a
  // missing file, because its likely cause is an unset variable.
  const stats = spec === "" ? undefined : statsOf(path.resolve(cwd, spec));
  if (stats?.isDirectory() === true) return listFolder(spec, cwd, sink);
  if (stats !== undefined) return [fileSource(spec, spec, cwd)];
  if (/[*?[\]{}!]/.test(spec)) return listGlob(spec, cwd, sink);
  if (isApiId(spec)) return listRemote(spec, sink, resolveRemote);
  sink.report(
    "source-missing",
    `${spec === "" ? "the empty path" : spec} does not exist`,
  );
  return [];
}

/**
 * Tests whether a string has the form `name:version`. A Windows path such as
 * `c:\specs` does not match, because a drive has a single letter.
 */
export function isApiId(spec: string): boolean {
  return /^[a-z0-9][\w.-]+:[a-z0-9][\w.-]*$/i.test(spec);
}

async function listRemote(
  spec: string,
  sink: Sink,
  resolveRemote: ResolveRemote | undefined,
): Promise<Source[]> {
  if (!/^https?:\/\//i.test(spec) && isUrl(spec)) {
    const scheme = spec.slice(0, spec.indexOf(":"));
    sink.report(
      "source-unsupported",
      `${spec}: the URL scheme ${scheme} is not supported`,
    );
    return [];
  }
  if (resolveRemote === undefined)
    sink.report("source-missing", `${spec} must be a file, folder or glob`);
  const bytes = await resolveRemote?.(spec, sink);
  return bytes === undefined ? [] : [{ name: spec, spec, read: () => bytes }];
}

/**
 * Returns the `Stats` of a file; undefined if the file is missing or its name
 * is invalid.
 */
function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function listFolder(spec: string, cwd: string, sink: Sink): Source[] {
  const files = jsonFiles(path.resolve(cwd, spec), "", sink);
  if (files.length === 0 && !sink.hasErrors)
    sink.report("source-empty", `${spec} contains no .json files`);
  return files.map((file) =>
    fileSource(toPosix(path.join(spec, file)), spec, cwd),
  );
}

/**
 * Returns the paths of the .json files below a folder, sorted; skips dot files
 * and node_modules.
 */
function jsonFiles(root: string, folder: string, sink: Sink): string[] {
  return entriesOf(root, folder, sink)
    .filter(
      (entry) => !entry.name.startsWith(".") && entry.name !== "node_modules",
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return jsonFiles(root, name, sink);
      const isFile = entry.isFile() || entry.isSymbolicLink();
      return isFile && entry.name.endsWith(".json") ? [name] : [];
    });
}

/**
 * Returns the entries of a folder. Reports an unreadable folder and returns an
 * empty list.
 */
function entriesOf(root: string, folder: string, sink: Sink): Dirent[] {
  try {
    return readdirSync(path.join(root, folder), { withFileTypes: true });
  } catch (error) {
    sink.report("source-unreadable", (error as Error).message);
    return [];
  }
}

async function listGlob(
  spec: string,
  cwd: string,
  sink: Sink,
): Promise<Source[]> {
  const { globSync } = await import("tinyglobby");
  const files = globSync(toPosix(spec), {
    cwd,
    expandDirectories: false,
  }).sort();
  if (files.length === 0)
    sink.report("source-missing", `${spec} matches no files`);
  return files.map((file) => fileSource(file, spec, cwd));
}

function fileSource(name: string, spec: string, cwd: string): Source {
  const file = path.resolve(cwd, name);
  return {
    name,
    spec,
    path: file,
    read: () => readFileLimited(file),
  };
}
