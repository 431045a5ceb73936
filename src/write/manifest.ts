import { lstatSync } from "node:fs";
import path from "node:path";
import { isObject, printJson } from "../diagnostics/json.js";
import { readPlainFile } from "../platform/plain-file.js";

/** Name of the manifest in the output folder. */
export const MANIFEST = ".gen-manifest.json";

/**
 * Manifest entry for the folder of an API or runtime. A repository can contain
 * any manifest. `--check` therefore does not use its hashes: a file is up to date
 * if it has the rendered content.
 */
export interface ManifestGroup {
  /**
   * Folder or glob, given with `--spec`, that contains the document; relative
   * to `--out`.
   */
  readonly spec?: string;
  /** Path of the document, relative to `--out`. */
  readonly document?: string;
  /**
   * Hash of the document, the options and the generator that produced the files.
   * A run skips an API whose inputs and files are unchanged. Absent if the run
   * reported warnings, so that later runs report them again.
   */
  readonly inputs?: string;
  /**
   * Hashes of file contents, keyed by path relative to the folder. If the hash
   * of an obsolete file differs, the file was edited and is not deleted.
   */
  readonly files: Readonly<Record<string, string>>;
}

/** List of the generated files in an output folder, with their sources. */
export interface Manifest {
  readonly format: 2;
  readonly groups: Readonly<Record<string, ManifestGroup>>;
}

/** Manifest of a folder without generated output. */
export const EMPTY_MANIFEST: Manifest = { format: 2, groups: {} };

/**
 * Reads the manifest. Returns an empty manifest if the file is missing, and
 * undefined if it is damaged or not a regular file. Throws file system errors.
 * Also throws if the path is a folder, because a file can't replace it.
 */
export function readManifest(out: string): Manifest | undefined {
  let bytes: Buffer | undefined;
  try {
    const file = path.join(out, MANIFEST);
    if (lstatSync(file).isDirectory())
      throw new Error(`${MANIFEST} is a folder`);
    bytes = readPlainFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return EMPTY_MANIFEST;
    throw error;
  }
  try {
    return parseManifest(JSON.parse(bytes?.toString() ?? "") as unknown);
  } catch {
    return undefined;
  }
}

/**
 * Parses a manifest. Sources in format 1 are ignored, because their paths are
 * relative to an unknown folder.
 */
function parseManifest(value: unknown): Manifest | undefined {
  if (!isObject(value) || !isObject(value["groups"])) return undefined;
  const { format } = value;
  if (format !== 1 && format !== 2) return undefined;
  const groups: Record<string, ManifestGroup> = {};
  for (const [folder, group] of Object.entries(value["groups"])) {
    if (!isGroupFolder(folder) || !isGroup(group)) return undefined;
    define(
      groups,
      folder,
      format === 1 ? { files: group.files } : knownMembers(group),
    );
  }
  return { format: 2, groups };
}

/** Returns a manifest entry with only the members that this version defines. */
function knownMembers({
  spec,
  document,
  inputs,
  files,
}: ManifestGroup): ManifestGroup {
  return {
    ...(spec === undefined ? {} : { spec }),
    ...(document === undefined ? {} : { document }),
    ...(inputs === undefined ? {} : { inputs }),
    files,
  };
}

/**
 * Sets a member of a record with Object.defineProperty, because an assignment
 * to the key `__proto__` would not create a member.
 */
function define<T>(record: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(record, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/**
 * Tests whether a value is a manifest entry whose paths do not leave its
 * folder.
 */
function isGroup(value: unknown): value is ManifestGroup {
  return (
    isObject(value) &&
    isOptionalText(value["spec"]) &&
    isOptionalText(value["document"]) &&
    isOptionalText(value["inputs"]) &&
    isFiles(value["files"])
  );
}

/**
 * Tests whether a value is a record that maps paths to hashes, and no path
 * leads out of the folder of the API or runtime.
 */
function isFiles(value: unknown): value is Readonly<Record<string, string>> {
  return (
    isObject(value) &&
    Object.entries(value).every(
      ([name, digest]) => isInside(name) && typeof digest === "string",
    )
  );
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

/**
 * Tests whether a path consists of two segments, such as `drive/v3` or
 * `runtime/client`.
 */
function isGroupFolder(folder: string): boolean {
  return (
    isInside(folder) && folder.split("/").length === 2 && folder[0] !== "."
  );
}

/** Tests whether a folder contains a runtime. */
export function isRuntime(folder: string): boolean {
  return folder.startsWith("runtime/");
}

/**
 * Tests whether a relative path stays within its folder. Paths in manifests
 * must be checked, because manifests can be edited.
 */
function isInside(relative: string): boolean {
  return relative.length <= 1000 && INSIDE.test(relative);
}

/**
 * Pattern for paths without segments `.` and `..`. Colons are not allowed,
 * because they have a special meaning on Windows (drives and alternate data
 * streams).
 */
const INSIDE =
  /^(?!\.{1,2}(?:\/|$))[^\\:\u0000-\u001f/]+(?:\/(?!\.{1,2}(?:\/|$))[^\\:\u0000-\u001f/]+)*$/;

/**
 * Tests whether two manifests list the same files and sources. Hashes of inputs
 * are ignored: another version of the generator that prints the same output does
 * not change the manifest.
 */
export function isSameManifest(a: Manifest, b: Manifest): boolean {
  return manifestText(withoutInputs(a)) === manifestText(withoutInputs(b));
}

function withoutInputs(manifest: Manifest): Manifest {
  const groups = Object.entries(manifest.groups).map(([folder, group]) => {
    const { inputs: _, ...others } = group;
    return [folder, others] as const;
  });
  return { ...manifest, groups: Object.fromEntries(groups) };
}

/** Prints the manifest with sorted keys, so that diffs are small. */
export function manifestText(manifest: Manifest): string {
  const groups = Object.fromEntries(
    sorted(manifest.groups).map(([folder, group]) => [
      folder,
      { ...group, files: Object.fromEntries(sorted(group.files)) },
    ]),
  );
  return `${printJson({ ...manifest, groups })}\n`;
}

function sorted<T>(record: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}
