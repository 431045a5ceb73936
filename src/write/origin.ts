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

/**
 * What the manifest says of an origin: relative paths only, since absolute
 * ones, and single files outside the working folder, differ from machine to
 * machine. A listed folder is recorded so that documents which vanish from it
 * are noticed.
 */
export function recordOf({
  spec,
  name,
  inputs,
}: Origin): Omit<ManifestGroup, "files"> {
  const document = normal(name);
  if (name === "-" || path.isAbsolute(name)) return { inputs };
  if (normal(spec) !== document)
    return { spec: normal(spec), document, inputs };
  return document.startsWith("..") ? { inputs } : { document, inputs };
}

/** What a run listed: the --spec arguments and the documents that they led to. */
export class Listed {
  readonly #specs: ReadonlySet<string>;
  readonly #documents: ReadonlySet<string>;

  /** @param specs arguments whose listing is complete */
  constructor(specs: Iterable<string>, documents: Iterable<string>) {
    this.#specs = new Set([...specs].map(normal));
    this.#documents = new Set([...documents].map(normal));
  }

  /**
   * Whether a group's document is gone from a folder or glob that was listed
   * in this run, or gave another group. A file given by name that is missing
   * is a mistake, not a wish.
   */
  isGone(
    { spec, document }: ManifestGroup,
    done: ReadonlySet<string>,
  ): boolean {
    return (
      spec !== undefined &&
      document !== undefined &&
      this.#specs.has(spec) &&
      (!this.#documents.has(document) || done.has(document))
    );
  }
}

/** `./specs/` and `specs` are the same folder, on any system. */
function normal(name: string): string {
  const posix = path.sep === "/" ? name : name.split(path.sep).join("/");
  return path.posix.normalize(posix).replace(/(.)\/$/, "$1");
}
