import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

/** Name of the manifest in the output folder. */
export const MANIFEST = ".gen-manifest.json";

/** What was written for one group: an API's folder, or the runtime. */
export interface ManifestGroup {
  /** The --spec argument that led to it, where it is the same on any machine. */
  readonly spec?: string;
  /** The document that the argument led to. */
  readonly document?: string;
  /** Hash of the document; absent for the runtime. */
  readonly source?: string;
  /** Content hashes by path below the group's folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** What the output folder holds of ours, and from what it was made. */
export interface Manifest {
  readonly format: 1;
  /** Hash of all that decides output: templates, targets, model, runtime. */
  readonly generator: string;
  /** Hash of the options that decide output. */
  readonly options: string;
  readonly groups: Readonly<Record<string, ManifestGroup>>;
}

export const EMPTY_MANIFEST: Manifest = {
  format: 1,
  generator: "",
  options: "",
  groups: {},
};

/** Content hash as the manifest has it. */
export function hash(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("base64url");
}

/** Reads the manifest; undefined where it is damaged, empty where there is none. */
export function readManifest(out: string): Manifest | undefined {
  let text: string;
  try {
    text = readFileSync(path.join(out, MANIFEST), "utf8");
  } catch {
    return EMPTY_MANIFEST;
  }
  try {
    const value = JSON.parse(text) as Manifest;
    return isManifest(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isManifest(value: Manifest): boolean {
  if (typeof value !== "object" || value === null || value.format !== 1)
    return false;
  if (typeof value.groups !== "object" || value.groups === null) return false;
  return Object.entries(value.groups).every(
    ([folder, group]) =>
      isInside(folder) &&
      typeof group?.files === "object" &&
      group.files !== null &&
      Object.keys(group.files).every(isInside),
  );
}

/** A manifest is a file that anyone can edit: its paths must not leave --out. */
function isInside(relative: string): boolean {
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
