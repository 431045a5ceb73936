import type { Sink } from "../diagnostics/sink.js";

/**
 * Output folder that is reserved for one document, so that no other document
 * uses the folder.
 */
interface FolderClaim {
  readonly folder: string;
  /** Name of the document, as the user typed it. */
  readonly document: string;
}

/**
 * Registry of the output folders of documents. If two documents have the same
 * folder, both are reported as errors. The same applies to folders that differ
 * only in case, because many file systems ignore case.
 */
export class FolderClaims {
  readonly #claims = new Map<string, FolderClaim>();
  /** Folders in the manifest, keyed by the folder name in lower case. */
  readonly #before: ReadonlyMap<string, string>;
  /**
   * Folders to which several documents would be written. Their existing output
   * is not changed.
   */
  readonly disputed = new Set<string>();

  /** @param before folders that the output contained before the run */
  constructor(before: Iterable<string>) {
    this.#before = new Map([...before].map((name) => [keyOf(name), name]));
  }

  /**
   * Registers the folder of a document. If the folder conflicts with another
   * folder, reports an error and returns false.
   */
  claim(claim: FolderClaim, sink: Sink): boolean {
    const { folder, document } = claim;
    const key = keyOf(folder);
    const other = this.#claims.get(key);
    if (other !== undefined) return this.#dispute(claim, other, sink);
    this.#claims.set(key, claim);
    const existing = this.#before.get(key) ?? folder;
    if (existing === folder) return true;
    sink.report(
      "api-case",
      `${document} would be generated into ${folder}, but the output already contains the folder ${existing}`,
    );
    this.disputed.add(existing);
    return false;
  }

  #dispute(claim: FolderClaim, other: FolderClaim, sink: Sink): boolean {
    const { folder, document } = claim;
    this.disputed.add(folder).add(other.folder);
    if (folder === other.folder)
      sink.report(
        "api-duplicate",
        `${other.document} and ${document} would both be generated into ${folder}`,
      );
    else
      sink.report(
        "api-case",
        `${other.document} would be generated into ${other.folder}, and ${document} into ${folder}; the folders differ only in case`,
      );
    return false;
  }
}

function keyOf(folder: string): string {
  return folder.toLowerCase();
}
