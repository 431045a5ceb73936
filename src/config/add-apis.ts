import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { loadSource } from "../load/load.js";
import { isUrl } from "../platform/is-url.js";
import { refuseStray } from "../platform/output-path.js";
import { toPosix } from "../platform/paths.js";
import { readFileLimited } from "../platform/read-limited.js";
import { replaceFile } from "../platform/replace-file.js";
import { DocumentFetcher, reportRemote } from "../remote/document-fetcher.js";
import { definedMembers } from "../platform/defined-members.js";
import type { RemoteOptions } from "../remote/remote-options.js";
import type { FetchedApi } from "../remote/remote-settings.js";
import { type Update, updateDocuments } from "../remote/update-documents.js";
import { documentFile } from "./api-name.js";
import { addApi, configFormat, type ApiEntry } from "./edit-config.js";
import { findConfig } from "./find-config.js";
import { loadConfig } from "./load-config.js";
import { formOptions, outputFormOf } from "./output-form.js";
import { rebasePath } from "./rebase-path.js";
import { LOCK_FILE, remoteOf } from "./resolve-jobs.js";

/** Options of `addApis`, which adds APIs to a config. */
export interface AddOptions extends RemoteOptions {
  readonly cwd: string;
  /** Path of the config file. Default: the one in the working directory. */
  readonly config?: string | undefined;
  readonly isForced?: boolean | undefined;
}

export interface AddedApi {
  readonly id: string;
  /** Path of the document, relative to the working directory. */
  readonly file: string;
  /** Fetched document; absent for local files. */
  readonly update?: Update;
}

/** Result of `addApis`, which adds APIs to a config. */
export interface AddResult {
  readonly added: readonly AddedApi[];
  /**
   * Path of the config file that was created or changed, relative to the
   * working directory.
   */
  readonly config?: string;
  /** Text to add to a config that can't be edited. */
  readonly snippet?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** API to add, with its entry in the config. */
interface Addition extends FetchedApi {
  readonly entry: ApiEntry;
  readonly isLocal: boolean;
}

/**
 * Adds APIs to the config: fetches their documents, pins them in the lock file,
 * and edits the config. Creates a config if there is none.
 * @param sources files, URLs, and names with version
 */
export async function addApis(
  sources: readonly string[],
  options: AddOptions,
): Promise<AddResult> {
  const sink = new Sink();
  const { cwd } = options;
  const target = await targetOf(options, sink);
  if (target === undefined) return { added: [], diagnostics: sink.diagnostics };
  const remote = { ...target.remote, ...remoteOptionsOf(options) };
  const additions: Addition[] = [];
  for (const source of sources) {
    const addition = await resolve(
      source,
      target,
      { ...options, ...remote },
      sink,
    );
    if (addition !== undefined) additions.push(addition);
  }
  const fetched = additions.filter(({ isLocal }) => !isLocal);
  const updates = await updateDocuments(
    fetched,
    {
      ...remote,
      cwd,
      lockFile: path.relative(
        cwd,
        path.join(path.dirname(target.file), LOCK_FILE),
      ),
      isForced: options.isForced,
    },
    sink,
  );
  const added = additions.flatMap((addition): AddedApi[] => {
    const { id, file } = addition;
    if (addition.isLocal) return [{ id, file }];
    const update = updates?.find((candidate) => candidate.id === id);
    return update === undefined ? [] : [{ id, file, update }];
  });
  const ids = new Set(added.map(({ id }) => id));
  const entries = additions.filter(({ id }) => ids.has(id));
  const edited = writeAdditions(target, entries, { cwd, remote }, sink);
  return { added, ...edited, diagnostics: sink.diagnostics };
}

/**
 * Adds APIs to the config without fetching their documents, which `gen fetch`
 * does later. Creates a config if there is none.
 * @param ids APIs as `name:version`
 */
export async function configureApis(
  ids: readonly string[],
  options: Pick<AddOptions, "cwd" | "config">,
): Promise<Omit<AddResult, "added">> {
  const sink = new Sink();
  const target = await targetOf(options, sink);
  if (target === undefined) return { diagnostics: sink.diagnostics };
  const entries = ids.map((id) => ({ id, entry: {} }));
  const written = writeAdditions(
    target,
    entries,
    { cwd: options.cwd, remote: target.remote },
    sink,
  );
  return { ...written, diagnostics: sink.diagnostics };
}

/** Returns the request options that have a value. */
function remoteOptionsOf({
  directory,
  isOffline,
  allowHttp,
  allowPrivate,
}: AddOptions): RemoteOptions {
  return definedMembers({ directory, isOffline, allowHttp, allowPrivate });
}

async function targetOf(
  { cwd, config }: AddOptions,
  sink: Sink,
): Promise<ConfigTarget | undefined> {
  const found = findConfig(cwd, config, sink, false);
  if (sink.hasErrors) return undefined;
  if (found === undefined)
    return {
      file: path.join(cwd, "gen.config.yaml"),
      exists: false,
      specs: "specs",
      remote: {},
    };
  const { checked, diagnostics } = await loadConfig({ cwd, config });
  if (checked === undefined) {
    sink.diagnostics.push(...diagnostics);
    return undefined;
  }
  const specs = (checked.values["specs"] as string | undefined) ?? "specs";
  return {
    file: found,
    exists: true,
    specs: rebasePath(specs, path.dirname(found), cwd),
    remote: remoteOf(checked.values),
  };
}

/** Resolves a source to an API; reports failures and returns undefined. */
async function resolve(
  source: string,
  { file, specs, exists, remote: configured }: ConfigTarget,
  options: AddOptions,
  sink: Sink,
): Promise<Addition | undefined> {
  const { cwd, directory } = options;
  const stored = (id: string): string =>
    path.posix.join(specs, documentFile(id));
  if (!isUrl(source) && isFile(path.resolve(cwd, source)))
    return resolveFile(source, path.dirname(file), cwd, sink);
  if (!isUrl(source) && /^[\w.-]+:[\w.-]+$/.test(source)) {
    // Names in a config are looked up only in the config's own API directory,
    // so an entry for an API from a different directory must contain a URL.
    const isOther = exists && directory !== configured.directory;
    if (!isOther || directory === undefined)
      return { id: source, file: stored(source), entry: {}, isLocal: false };
  } else if (!isUrl(source) && /[\\/]|\.json$/.test(source)) {
    sink.report("source-missing", `${source} does not exist`);
    return undefined;
  }
  try {
    const remote = new DocumentFetcher(options, path.dirname(file));
    const url = isUrl(source) ? source : undefined;
    const { document } = await remote.fetch({ id: source, source: url });
    const id = `${document.name}:${document.version}`;
    const entry = { source: document.url };
    return {
      id,
      file: stored(id),
      source: document.url,
      entry,
      isLocal: false,
    };
  } catch (error) {
    reportRemote(error, source, sink);
    return undefined;
  }
}

function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** Reads the name and version from a local document. */
function resolveFile(
  name: string,
  folder: string,
  cwd: string,
  sink: Sink,
): Addition | undefined {
  const file = path.resolve(cwd, name);
  const read = (): Buffer => readFileLimited(file);
  const loaded = loadSource({ name, spec: name, read });
  const { name: api, version } = loaded.document ?? {};
  if (api === undefined || version === undefined) {
    sink.diagnostics.push(...loaded.sink.diagnostics);
    return undefined;
  }
  const relative = toPosix(path.relative(folder, file));
  const source = relative.startsWith(".") ? relative : `./${relative}`;
  const entry = { source };
  return { id: `${api}:${version}`, file: name, entry, isLocal: true };
}

/** Config to which APIs are added. */
interface ConfigTarget {
  /** Absolute path of the file, which may not exist yet. */
  readonly file: string;
  readonly exists: boolean;
  /** Folder of fetched documents, relative to the working directory. */
  readonly specs: string;
  readonly remote: RemoteOptions;
}

/** API to add, with its entry in the config. */
interface ConfigEntry {
  readonly id: string;
  readonly entry: ApiEntry;
}

/** Result of `writeAdditions`, which adds APIs to the config file. */
interface WrittenAdditions {
  /**
   * Path of the config file that was created or changed, relative to the
   * working directory.
   */
  readonly config?: string;
  /** Text to add to a config that can't be edited. */
  readonly snippet?: string;
}

/**
 * Adds APIs to the config file, or returns the text to add if the file can't be
 * edited.
 * @param remote request options, which are written to a new config
 */
function writeAdditions(
  { file, exists }: ConfigTarget,
  additions: readonly ConfigEntry[],
  { cwd, remote }: { readonly cwd: string; readonly remote: RemoteOptions },
  sink: Sink,
): WrittenAdditions {
  if (additions.length === 0) return {};
  const config = path.relative(cwd, file);
  const format = configFormat(file);
  if (format === undefined) return { config, snippet: snippetOf(additions) };
  try {
    const text = exists
      ? readFileSync(file, "utf8")
      : newConfig(remote, path.dirname(file));
    let edited: string | undefined = text;
    for (const { id, entry } of additions)
      edited =
        edited === undefined ? edited : addApi(edited, format, id, entry);
    if (edited === undefined) return { config, snippet: snippetOf(additions) };
    if (edited === text) return {};
    refuseStray(file, cwd);
    replaceFile(file, edited);
    return { config };
  } catch (error) {
    sink.report("output-unwritable", `${config}: ${(error as Error).message}`);
    return {};
  }
}

/**
 * Returns the text of a new config without APIs.
 * @param folder absolute path of its folder
 */
function newConfig(
  { directory, allowHttp, allowPrivate }: RemoteOptions,
  folder: string,
): string {
  const form = formOptions(outputFormOf(path.join(folder, "generated")));
  return [
    "out: generated",
    ...Object.entries(form).map(([name, value]) => `${name}: ${value}`),
    ...(directory === undefined
      ? []
      : [`directory: ${JSON.stringify(directory)}`]),
    ...(allowHttp === true ? ["allowHttp: true"] : []),
    ...(allowPrivate === true ? ["allowPrivate: true"] : []),
    "",
  ].join("\n");
}

/**
 * Returns text to insert into `apis` of a config in JavaScript or TypeScript.
 */
function snippetOf(additions: readonly ConfigEntry[]): string {
  return additions
    .map(({ id, entry }) => `${JSON.stringify(id)}: ${JSON.stringify(entry)},`)
    .join("\n");
}
