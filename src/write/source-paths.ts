import { lstatSync } from "node:fs";
import path from "node:path";
import type { ManifestGroup } from "./manifest.js";

/** Where a document came from. */
export interface Origin {
  /** The --spec argument. */
  readonly spec: string;
  /** The path it led to; equal to `spec` for a file given by name. */
  readonly name: string;
  /** Hash of the document, the generator and the options. */
  readonly inputs: string;
}

/** Where a group came from, as the manifest says it. */
export type SourceRecord = Omit<ManifestGroup, "files">;

/**
 * Paths of sources as the manifest has them: relative to --out, so that they
 * are the same on every machine and from every working folder. Sources outside
 * of the project are not recorded: their paths differ from machine to machine.
 */
export class SourcePaths {
  readonly #out: string;
  readonly #cwd: string;
  /** Folder that has all that is recorded; undefined: any but the root. */
  readonly #project: string | undefined;

  /** @param cwd base of relative sources */
  constructor(out: string, cwd: string) {
    this.#out = path.resolve(out);
    this.#cwd = cwd;
    this.#project = repositoryOf(this.#out);
  }

  /**
   * What the manifest says of an origin. A listed folder is recorded so that
   * documents which vanish from it are noticed.
   */
  recordOf({ spec, name }: Origin): SourceRecord {
    const document = this.pathOf(name);
    if (document === undefined) return {};
    const listed = this.pathOf(spec);
    return listed === undefined || listed === document
      ? { document }
      : { spec: listed, document };
  }

  /** Path relative to --out; undefined for standard input, and outside of the project. */
  pathOf(name: string): string | undefined {
    if (name === "-") return undefined;
    const file = path.resolve(this.#cwd, name);
    const isRecorded =
      this.#project === undefined
        ? !isTop(commonFolder(this.#out, file))
        : isWithin(this.#project, file);
    return isRecorded ? posix(path.relative(this.#out, file)) : undefined;
  }
}

/** The nearest folder above that is a Git work tree, if any. */
function repositoryOf(folder: string): string | undefined {
  for (let current = folder; ; current = path.dirname(current)) {
    if (exists(path.join(current, ".git"))) return current;
    if (isTop(current)) return undefined;
  }
}

function exists(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function isTop(folder: string): boolean {
  return path.dirname(folder) === folder;
}

function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return !/^\.\.(?:[\\/]|$)/.test(relative) && !path.isAbsolute(relative);
}

function commonFolder(a: string, b: string): string {
  let common = a;
  while (!isWithin(common, b) && !isTop(common)) common = path.dirname(common);
  return common;
}

function posix(name: string): string {
  return path.sep === "/" ? name : name.split(path.sep).join("/");
}

/** What a run listed: the --spec arguments and the documents that they led to. */
export class ListedDocuments {
  readonly #specs: ReadonlySet<string | undefined>;
  readonly #documents: ReadonlySet<string | undefined>;

  /** @param specs arguments whose listing is complete */
  constructor(
    places: SourcePaths,
    specs: Iterable<string>,
    documents: Iterable<string>,
  ) {
    const placeOf = (name: string): string | undefined => places.pathOf(name);
    this.#specs = new Set([...specs].map(placeOf));
    this.#documents = new Set([...documents].map(placeOf));
  }

  /**
   * Whether a group's document is gone from a folder or glob that was listed
   * in this run, or gave another group. A file given by name that is missing
   * is a mistake, not a wish.
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
