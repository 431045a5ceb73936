import { lstatSync } from "node:fs";
import path from "node:path";
import { isObject, printJson } from "../diagnostics/json.js";
import { readPlainFile } from "../platform/plain-file.js";

/** Name of the manifest in the output folder. */
export const MANIFEST = ".gen-manifest.json";

/**
 * Record of a group, i.e. the folder of an API or of a runtime. The manifest is not
 * trusted, since a repository can contain any: only the content of a file decides
 * whether it is up to date.
 */
export interface ManifestGroup {
  /** Listed folder or glob, relative to `--out`. */
  readonly spec?: string;
  /** Path of the document, relative to `--out`. */
  readonly document?: string;
  /** Content hashes by path below the folder; an obsolete file with another hash was edited. */
  readonly files: Readonly<Record<string, string>>;
}

/** Generated files of an output folder, with their sources. */
export interface Manifest {
  readonly format: 2;
  readonly groups: Readonly<Record<string, ManifestGroup>>;
}

/** Manifest of a folder without generated output. */
export const EMPTY_MANIFEST: Manifest = { format: 2, groups: {} };

/**
 * Reads the manifest. Returns undefined if it is damaged or not a regular file,
 * and an empty manifest if it is missing. Throws what the file system throws, and
 * for a folder of that name, which a file can't replace.
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

/** Parses a manifest. Sources of format 1 are dropped: their paths are relative to an unknown folder. */
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

/** Returns the members of a group that this version defines. */
function knownMembers({ spec, document, files }: ManifestGroup): ManifestGroup {
  return {
    ...(spec === undefined ? {} : { spec }),
    ...(document === undefined ? {} : { document }),
    files,
  };
}

/** Defines instead of assigns the member, since the name may be `__proto__`. */
function define<T>(record: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(record, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Tests for a group whose paths stay in its folder. */
export function isGroup(value: unknown): value is ManifestGroup {
  return (
    isObject(value) &&
    isOptionalText(value["spec"]) &&
    isOptionalText(value["document"]) &&
    isFiles(value["files"])
  );
}

/** Tests for hashes by path, all below the folder of the group. */
export function isFiles(
  value: unknown,
): value is Readonly<Record<string, string>> {
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

/** Tests for a folder of two segments, such as `drive/v3` or `runtime/client`. */
export function isGroupFolder(folder: string): boolean {
  return (
    isInside(folder) && folder.split("/").length === 2 && folder[0] !== "."
  );
}

/** Tests for the folder of a runtime. */
export function isRuntime(folder: string): boolean {
  return folder.startsWith("runtime/");
}

/** Tests for a relative path that stays in its folder: manifests may be edited. */
export function isInside(relative: string): boolean {
  return (
    relative !== "" &&
    relative.length <= 1000 &&
    !path.isAbsolute(relative) &&
    // Streams and drives of Windows have a colon.
    !/[\\:\u0000-\u001f]/.test(relative) &&
    relative
      .split("/")
      .every((part) => part !== "" && part !== "." && part !== "..")
  );
}

/** Prints the manifest with sorted keys, which makes diffs small. */
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
