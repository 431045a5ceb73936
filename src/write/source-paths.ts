import { lstatSync } from "node:fs";
import path from "node:path";
import { isUrl } from "../platform/is-url.js";
import type { ManifestGroup } from "./manifest.js";
import { isWithin, toPosix } from "../platform/paths.js";

/** Source of a document. */
export interface Origin {
  /** `--spec` argument that selects the document. */
  readonly spec: string;
  /** Path of the document; equal to `spec` if that is a file. */
  readonly name: string;
}

/** Source of an API, as it is stored in the manifest. */
export type SourceRecord = Omit<ManifestGroup, "files">;

/**
 * Converts source paths for the manifest. Paths are made relative to `--out`,
 * so that they are the same on every machine. Sources outside of the project
 * are omitted, because their relative paths differ between machines.
 */
export class SourcePaths {
  readonly #out: string;
  readonly #cwd: string;
  /**
   * Root folder of the project. If undefined, a source belongs to the project
   * if it has a common parent folder with the output, other than the root of
   * the file system.
   */
  readonly #project: string | undefined;
  /** Cached results of `pathOf`, which several steps need for each document. */
  readonly #paths = new Map<string, { readonly path: string | undefined }>();

  /** @param cwd folder against which relative paths of sources are resolved */
  constructor(out: string, cwd: string) {
    this.#out = path.resolve(out);
    this.#cwd = cwd;
    this.#project = repositoryOf(this.#out);
  }

  /**
   * Returns the source of an API for the manifest. If the document was found in
   * a folder or by a glob, the source includes the folder or glob, so that
   * later runs detect that the document was removed.
   */
  recordOf({ spec, name }: Origin): SourceRecord {
    const document = this.pathOf(name);
    if (document === undefined) return {};
    const listed = this.pathOf(spec);
    return listed === undefined || listed === document
      ? { document }
      : { spec: listed, document };
  }

  /**
   * Returns the path relative to `--out`; undefined for standard input, URLs,
   * and paths outside of the project.
   */
  pathOf(name: string): string | undefined {
    const known = this.#paths.get(name);
    if (known !== undefined) return known.path;
    const relative = this.#relative(name);
    this.#paths.set(name, { path: relative });
    return relative;
  }

  #relative(name: string): string | undefined {
    if (name === "-" || isUrl(name)) return undefined;
    const file = path.resolve(this.#cwd, name);
    const isRecorded =
      this.#project === undefined
        ? !isRoot(commonFolder(this.#out, file))
        : isWithin(this.#project, file);
    return isRecorded ? toPosix(path.relative(this.#out, file)) : undefined;
  }
}

/** Returns the nearest parent folder that is a Git work tree. */
function repositoryOf(folder: string): string | undefined {
  for (let current = folder; ; current = path.dirname(current)) {
    if (exists(path.join(current, ".git"))) return current;
    if (isRoot(current)) return undefined;
  }
}

function exists(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function isRoot(folder: string): boolean {
  return path.dirname(folder) === folder;
}

function commonFolder(a: string, b: string): string {
  let common = a;
  while (!isWithin(common, b) && !isRoot(common)) common = path.dirname(common);
  return common;
}

/** Documents that a run found for its `--spec` arguments. */
export class ListedDocuments {
  readonly #specs: ReadonlySet<string | undefined>;
  readonly #documents: ReadonlySet<string | undefined>;

  /** @param specs arguments whose documents were listed completely */
  constructor(
    paths: SourcePaths,
    specs: Iterable<string>,
    documents: Iterable<string>,
  ) {
    const pathOf = (name: string): string | undefined => paths.pathOf(name);
    this.#specs = new Set([...specs].map(pathOf));
    this.#documents = new Set([...documents].map(pathOf));
  }

  /**
   * Tests whether the document of an API was removed from a listed folder or
   * glob, or now describes another API. Files that `--spec` names directly are
   * not tested, because a missing file is an error.
   */
  isGone(
    { spec, document }: ManifestGroup,
    done: ReadonlySet<string | undefined>,
  ): boolean {
    return (
      spec !== undefined &&
      document !== undefined &&
      this.#specs.has(spec) &&
      (!this.#documents.has(document) || done.has(document))
    );
  }
}
