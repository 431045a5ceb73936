import { lstatSync } from "node:fs";
import path from "node:path";
import type { Sink } from "../diagnostics/sink.js";
import { isSameUrl, revisionText, type LockEntry } from "./lock-entry.js";
import type { Lock } from "./lock-file.js";
import type { FetchedApi, LockOptions } from "./lock-options.js";
import { VerifiedFiles } from "./verified-files.js";

/** Result of comparing a stored document with the lock file. */
export type StoredState = "valid" | "missing" | "failed";

/** Compares stored documents with the lock file and reports differences. */
export class StoredCheck {
  readonly #lock: Lock;
  readonly #options: LockOptions;
  readonly #sink: Sink;
  readonly #files: VerifiedFiles;

  constructor(lock: Lock, options: LockOptions, sink: Sink) {
    this.#lock = lock;
    this.#options = options;
    this.#sink = sink;
    const lockFile = path.resolve(options.cwd, options.lockFile);
    this.#files = new VerifiedFiles(path.dirname(lockFile));
  }

  /** Stores the digests, so that checks by later runs are faster. */
  save(): void {
    this.#files.save();
  }

  stateOf(api: FetchedApi): StoredState {
    const { cwd, lockFile, isFrozen } = this.#options;
    const file = path.resolve(cwd, api.file);
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined)
      return this.#missing(api);
    const entry = this.#lock.get(api.id);
    if (entry !== undefined) return this.#compare(api, file, entry);
    // Documents that are committed without a lock file are already pinned by
    // the repository.
    return isFrozen === true
      ? this.#differs(api, `${lockFile} does not contain this API`)
      : "valid";
  }

  #missing({ id, file }: FetchedApi): StoredState {
    const { isFrozen, isReadOnly } = this.#options;
    if (isFrozen !== true && isReadOnly !== true) return "missing";
    this.#sink.report(
      "document-missing",
      `the document ${file} of ${id} does not exist`,
    );
    return "failed";
  }

  #compare(api: FetchedApi, file: string, entry: LockEntry): StoredState {
    const { lockFile } = this.#options;
    let digest: string | undefined;
    try {
      digest = this.#files.read(file)?.digest;
    } catch (error) {
      const { message } = error as Error;
      return this.#differs(
        api,
        `${api.file} can't be compared with ${lockFile}: ${message}`,
      );
    }
    if (digest !== entry.digest)
      return this.#differs(
        api,
        `${api.file} does not match the digest in ${lockFile}${revisionText(entry)}`,
      );
    if (api.source !== undefined && !isSameUrl(api.source, entry.url))
      return this.#differs(
        api,
        `the source in ${lockFile}, ${entry.url}, differs from the source in the config`,
      );
    return "valid";
  }

  #differs({ id }: FetchedApi, message: string): StoredState {
    this.#sink.report("lock-mismatch", `${id}: ${message}`);
    return "failed";
  }
}
