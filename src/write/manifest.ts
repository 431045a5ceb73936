import { lstatSync } from "node:fs";
import path from "node:path";
import { isObject, printJson } from "../diagnostics/json.js";
import { readPlainFile } from "../platform/plain-file.js";

/** Name of the manifest in the output folder. */
export const MANIFEST = ".gen-manifest.json";

/**
 * What was written for one group: an API's folder, or the runtime. A
 * repository can bring any manifest along, so nothing in it is trusted: that a
 * file is up to date is decided by its content alone.
 */
export interface ManifestGroup {
  /** The folder or glob that was listed, relative to --out. */
  readonly spec?: string;
  /** The document, relative to --out. */
  readonly document?: string;
  /** Content hashes by path below the group's folder: stale files with another were edited. */
  readonly files: Readonly<Record<string, string>>;
}

/** What the output folder holds of ours, and from what it was made. */
export interface Manifest {
  readonly format: 2;
  readonly groups: Readonly<Record<string, ManifestGroup>>;
}

/** What a folder holds into which nothing was generated. */
export const EMPTY_MANIFEST: Manifest = { format: 2, groups: {} };

/**
 * Reads the manifest; undefined where it is damaged, or no plain file; empty
 * where there is none. Throws what the file system throws, and for a folder of
 * that name, which no file can replace.
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
    return manifestOf(JSON.parse(bytes?.toString() ?? "") as unknown);
  } catch {
    return undefined;
  }
}

/** Format 1 had paths relative to the working folder of the run, which is unknown. */
function manifestOf(value: unknown): Manifest | undefined {
  if (!isObject(value) || !isObject(value["groups"])) return undefined;
  const { format } = value;
  if (format !== 1 && format !== 2) return undefined;
  const groups: Record<string, ManifestGroup> = {};
  for (const [folder, group] of Object.entries(value["groups"])) {
    if (!isGroupFolder(folder) || !isGroup(group)) return undefined;
    define(
      groups,
      folder,
      format === 1 ? { files: group.files } : known(group),
    );
  }
  return { format: 2, groups };
}

/** The members that this version knows: others are not carried along. */
function known({ spec, document, files }: ManifestGroup): ManifestGroup {
  return {
    ...(spec === undefined ? {} : { spec }),
    ...(document === undefined ? {} : { document }),
    files,
  };
}

/** Defined, not assigned: the name may be __proto__. */
function define<T>(record: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(record, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Whether a value read from disk is a group, with paths that stay inside. */
export function isGroup(value: unknown): value is ManifestGroup {
  return (
    isObject(value) &&
    isOptionalText(value["spec"]) &&
    isOptionalText(value["document"]) &&
    isFiles(value["files"])
  );
}

/** Whether a value read from disk is hashes by path, all below the group's folder. */
export function isFiles(
  value: unknown,
): value is Readonly<Record<string, string>> {
  return (
    isObject(value) &&
    Object.entries(value).every(
      ([name, known]) => isInside(name) && typeof known === "string",
    )
  );
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

/** `drive/v3` or `runtime/client`: groups never lie within one another. */
export function isGroupFolder(folder: string): boolean {
  return (
    isInside(folder) && folder.split("/").length === 2 && folder[0] !== "."
  );
}

/** A manifest is a file that anyone can edit: its paths must not leave --out. */
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

/** The manifest's text: sorted, so that its diff is the change. */
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
