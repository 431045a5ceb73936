import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

/** Name of the manifest in the output folder. */
export const MANIFEST = ".gen-manifest.json";

/** What was written for one group: an API's folder, or the runtime. */
export interface ManifestGroup {
  /** The folder or glob that was listed, where it is the same on any machine. */
  readonly spec?: string;
  /** The document, where its path is the same on any machine. */
  readonly document?: string;
  /** Hash of the document, the generator and the options; absent for the runtime. */
  readonly inputs?: string;
  /** Content hashes by path below the group's folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** What the output folder holds of ours, and from what it was made. */
export interface Manifest {
  readonly format: 1;
  readonly groups: Readonly<Record<string, ManifestGroup>>;
}

/** What a folder holds into which nothing was generated. */
export const EMPTY_MANIFEST: Manifest = { format: 1, groups: {} };

/** Hash of contents, one after the other, as the manifest has it. */
export function hash(...contents: readonly (string | Uint8Array)[]): string {
  const sum = createHash("sha256");
  for (const content of contents) sum.update(content);
  return sum.digest("base64url");
}

/**
 * Reads the manifest; undefined where it is damaged, empty where there is none.
 * Throws what the file system throws, e.g. for a folder of that name.
 */
export function readManifest(out: string): Manifest | undefined {
  let text: string;
  try {
    text = readFileSync(path.join(out, MANIFEST), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return EMPTY_MANIFEST;
    throw error;
  }
  try {
    const value = JSON.parse(text) as unknown;
    return isManifest(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isManifest(value: unknown): value is Manifest {
  return (
    isRecord(value) &&
    value["format"] === 1 &&
    isRecord(value["groups"]) &&
    Object.entries(value["groups"]).every(
      ([folder, group]) => isInside(folder) && isGroup(group),
    )
  );
}

/** Whether a value read from disk is a group, with paths that stay inside. */
export function isGroup(value: unknown): value is ManifestGroup {
  return (
    isRecord(value) &&
    isOptionalText(value["spec"]) &&
    isOptionalText(value["document"]) &&
    isOptionalText(value["inputs"]) &&
    isRecord(value["files"]) &&
    Object.entries(value["files"]).every(
      ([name, known]) => isInside(name) && typeof known === "string",
    )
  );
}

/** Whether a value read from disk is an object with keys. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

/** A manifest is a file that anyone can edit: its paths must not leave --out. */
export function isInside(relative: string): boolean {
  return (
    relative !== "" &&
    !path.isAbsolute(relative) &&
    !/[\\\u0000]/.test(relative) &&
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
  return `${JSON.stringify({ ...manifest, groups }, undefined, 2)}\n`;
}

function sorted<T>(record: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}
