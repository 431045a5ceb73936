import type { Sink } from "../diagnostics/sink.js";

/** Folder that a document's output goes to. */
interface FolderClaim {
  readonly folder: string;
  /** Name of the document, as the user gave it. */
  readonly document: string;
}

/**
 * Folders of the output by the documents that lead to them. Two documents of
 * one folder are an error for both, and so are folders that differ by case
 * alone: many file systems take them for one.
 */
export class FolderClaims {
  readonly #claims = new Map<string, FolderClaim>();
  /** Folders of the manifest, by what a file system that ignores case sees. */
  readonly #before: ReadonlyMap<string, string>;
  /** Folders that several documents claim: what is there stays. */
  readonly disputed = new Set<string>();

  /** @param before folders of the output as the run found it */
  constructor(before: Iterable<string>) {
    this.#before = new Map([...before].map((name) => [keyOf(name), name]));
  }

  /** Whether the folder is the document's; reports why not. */
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
      `${document} leads to the folder ${folder}, and the output has ${existing}`,
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
        `${other.document} and ${document} both describe the API of ${folder}`,
      );
    else
      sink.report(
        "api-case",
        `${other.document} leads to the folder ${other.folder}, ${document} to ${folder}`,
      );
    return false;
  }
}

function keyOf(folder: string): string {
  return folder.toLowerCase();
}
