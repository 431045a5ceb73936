import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { isObject } from "../../diagnostics/json.js";
import { locate } from "../../diagnostics/locate.js";
import { Sink } from "../../diagnostics/sink.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import { loadBytes, readBytes } from "../../load/load.js";
import { listSources, type Source } from "../../load/sources.js";
import { readPlainFile } from "../../platform/plain-file.js";
import { hasChanges, type ApiChanges } from "../api-changes.js";
import { summaryOf, type DocumentSummary } from "../document-summary.js";
import { featuresOfModel, modelOf } from "../method-features.js";
import { changedApis, homeMain } from "../home.js";
import { viewOf, type JsonView } from "../json-view.js";
import { scriptOf } from "../script.js";
import { SearchIndex } from "../search-index.js";
import { styleOf } from "../style.js";
import type { TryOrigins } from "../try-form.js";
import { preferredIds } from "../versions.js";
import { apiFiles, renderPage, SITE_NAME, type SiteFile } from "./api-files.js";
import { llmsText } from "./markdown.js";
import {
  apiKey,
  FileNames,
  placeApi,
  staticLinks,
  type PlacedApi,
} from "./placement.js";

/** API of a site, with the data for its pages. */
interface SiteApi extends PlacedApi {
  readonly summary: DocumentSummary;
  readonly document: JsonView;
  readonly changes?: ApiChanges | undefined;
}

export interface SiteContent {
  /**
   * Map from API id to the changes since the previous version of the document.
   */
  readonly changes?: ReadonlyMap<string, ApiChanges>;
  /**
   * Origins to which forms can send requests. If there are no origins, the
   * pages have no forms.
   */
  readonly tryOrigins?: TryOrigins;
}

/** Relative path from a page of an API to the root of the site. */
const TO_ROOT = "../../../";

/**
 * Yields the files of a static site for checked description documents. If
 * several documents have the same name and version, only the first one is used.
 */
export function* buildSite(
  documents: Iterable<Buffer>,
  content: SiteContent = {},
): Generator<SiteFile> {
  const apis = placeAll(documents, content);
  const placed = new Map(apis.map((api) => [apiKey(api.summary), api]));
  const summaries = apis.map(({ summary }) => summary);
  const preferred = preferredIds(summaries);
  const rootLinks = staticLinks(placed, "");
  const index = new SearchIndex(rootLinks);
  yield { path: "style.css", text: styleOf(content.tryOrigins) };
  yield { path: "script.js", text: scriptOf(content.tryOrigins) };
  yield {
    path: "index.html",
    text: renderPage(rootLinks, {
      title: SITE_NAME,
      main: homeMain(summaries, rootLinks, "", changedApis(apis, rootLinks)),
    }),
  };
  yield { path: "llms.txt", text: llmsText(apis) };
  const links = staticLinks(placed, TO_ROOT);
  for (const api of apis) {
    const { summary, document } = api;
    const model = modelOf(document);
    const features = featuresOfModel(model);
    const isPreferred = preferred.has(summary.id);
    index.add({ summary, document, isPreferred, features });
    yield* apiFiles({ ...api, model, features }, links, content.tryOrigins);
  }
  yield { path: "search.js", text: index.script() };
}

/** Assigns a folder and pages to each API. */
function placeAll(
  documents: Iterable<Buffer>,
  content: SiteContent,
): SiteApi[] {
  const names = new FileNames();
  const parents = new Map<string, { folder: string; versions: FileNames }>();
  const apis = new Map<string, SiteApi>();
  for (const bytes of documents) {
    const document = viewOf(bytes);
    const summary = summaryOf(document);
    if (summary === undefined || apis.has(summary.id)) continue;
    let parent = parents.get(summary.name);
    if (parent === undefined) {
      const folder = names.assign(summary.name);
      parent = { folder, versions: new FileNames() };
      parents.set(summary.name, parent);
    }
    const version = parent.versions.assign(summary.version);
    const changes = content.changes?.get(summary.id);
    apis.set(summary.id, {
      summary,
      document,
      folder: `apis/${parent.folder}/${version}`,
      pages: placeApi(document, hasChanges(changes)),
      changes,
    });
  }
  return [...apis.values()];
}

/** Result of writing a site. `written` is absent if nothing was written. */
interface SiteResult {
  readonly written?: WrittenSite;
  /** Number of valid documents. */
  readonly documents: number;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Writes a static site for the description documents that `specs` selects.
 * Reports and omits invalid documents.
 */
export async function generateSite(
  specs: readonly string[],
  out: string,
  cwd: string,
  content: SiteContent = {},
): Promise<SiteResult> {
  const listing = await listSources(specs, cwd);
  const diagnostics: Diagnostic[] = [...listing.diagnostics];
  const documents = listing.sources.flatMap((source) => {
    const checked = readValid(source);
    diagnostics.push(...checked.diagnostics);
    return checked.bytes === undefined ? [] : [checked.bytes];
  });
  if (documents.length === 0) return { documents: 0, diagnostics };
  const result = write(documents, path.resolve(cwd, out), content);
  diagnostics.push(...result.diagnostics);
  return { ...result, documents: documents.length, diagnostics };
}

/** Reads a document. The result has no `bytes` if the document is invalid. */
function readValid(source: Source): {
  readonly bytes?: Buffer;
  readonly diagnostics: readonly Diagnostic[];
} {
  const sink = new Sink(source.name);
  const bytes = readBytes(source, sink);
  if (bytes === undefined) return { diagnostics: sink.diagnostics };
  const { text, document } = loadBytes(bytes, source.name, sink);
  const diagnostics =
    text === undefined ? sink.diagnostics : locate(sink.diagnostics, text);
  return document === undefined || sink.hasErrors
    ? { diagnostics }
    : { bytes, diagnostics };
}

function write(
  documents: readonly Buffer[],
  folder: string,
  content: SiteContent,
): Pick<SiteResult, "written" | "diagnostics"> {
  const sink = new Sink();
  try {
    return {
      written: writeSite(folder, buildSite(documents, content)),
      diagnostics: [],
    };
  } catch (error) {
    const isForeign = error instanceof SiteFolderError;
    sink.report(
      isForeign ? "site-folder" : "output-unwritable",
      (error as Error).message,
    );
    return { diagnostics: sink.diagnostics };
  }
}

/**
 * Name of a file that lists the files of a site. A later run replaces the
 * folder only if it contains no other files.
 */
const MARKER = ".gen-docs.json";

/**
 * Suffix that is added to the name of the previous site's folder while the site
 * is being replaced.
 */
const BACKUP = ".gen-previous";

/** Error for a folder that a site must not replace. */
export class SiteFolderError extends Error {}

/** Number of files and bytes in a written site. */
interface WrittenSite {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Writes a site to a folder. The folder must be missing or empty, or contain
 * only the files of an earlier site. It is replaced only after all files have
 * been written; if the process is killed, either the old site or the new one is
 * complete.
 *
 * @throws SiteFolderError if the folder contains other files, or the path is a
 *   file or link
 */
export function writeSite(out: string, files: Iterable<SiteFile>): WrittenSite {
  const backup = out + BACKUP;
  // A run that was killed while it replaced the site can leave the previous
  // site in the backup folder.
  if (kindOf(out) === undefined && kindOf(backup) === "folder")
    renameSync(backup, out);
  refuseOthers(out);
  mkdirSync(path.dirname(out), { recursive: true });
  const staging = mkdtempSync(`${out}.gen-new-`);
  try {
    const written = writeFiles(staging, files);
    rmSync(backup, { recursive: true, force: true });
    if (kindOf(out) !== undefined) renameSync(out, backup);
    renameSync(staging, out);
    rmSync(backup, { recursive: true, force: true });
    return written;
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (kindOf(out) === undefined && kindOf(backup) === "folder")
      renameSync(backup, out);
    throw error;
  }
}

function writeFiles(root: string, files: Iterable<SiteFile>): WrittenSite {
  const paths: string[] = [];
  const folders = new Set<string>();
  let bytes = 0;
  for (const { path: name, text } of files) {
    const file = path.join(root, name);
    const folder = path.dirname(file);
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    const content = Buffer.from(text);
    writeFileSync(file, content, { flag: "wx" });
    bytes += content.length;
    paths.push(name);
  }
  const marker = JSON.stringify({ files: paths.sort() }, undefined, 2);
  writeFileSync(path.join(root, MARKER), `${marker}\n`);
  return { files: paths.length, bytes };
}

/** Throws if the folder contains files that do not belong to a site. */
function refuseOthers(out: string): void {
  const kind = kindOf(out);
  if (kind === undefined) return;
  if (kind === "other")
    throw new SiteFolderError(`${out} must be a folder, not a link or file`);
  const own = new Set([...readMarker(out), MARKER]);
  const other = filesBelow(out, "").find((file) => !own.has(file));
  if (other !== undefined)
    throw new SiteFolderError(
      `${out} contains ${other}, which is not part of a generated site`,
    );
}

function kindOf(file: string): "folder" | "other" | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return stats.isDirectory() ? "folder" : "other";
}

function readMarker(out: string): string[] {
  try {
    const text = readPlainFile(path.join(out, MARKER))?.toString() ?? "";
    const value = JSON.parse(text) as unknown;
    const files = isObject(value) ? value["files"] : undefined;
    return Array.isArray(files)
      ? files.filter((name): name is string => typeof name === "string")
      : [];
  } catch {
    return [];
  }
}

/** Returns the paths of all files below a folder, with forward slashes. */
function filesBelow(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap(
    (entry) => {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(root, name) : [name];
    },
  );
}
