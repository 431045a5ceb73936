import type { ApiSource } from "./document-fetcher.js";
import type { RemoteEnvironment, RemoteOptions } from "./remote-settings.js";

/**
 * API, and the file of its fetched document, relative to the working folder.
 */
export interface FetchedApi extends ApiSource {
  readonly file: string;
}

/** Location of the lock file, and options for fetching documents. */
export interface LockOptions extends RemoteOptions {
  /** Folder against which relative paths are resolved. */
  readonly cwd: string;
  /** Path of gen.lock.json. */
  readonly lockFile: string;
  /**
   * True to leave all files unchanged, and to report each difference and
   * documents without a lock entry. Default: false.
   */
  readonly isFrozen?: boolean | undefined;
  /**
   * True to leave all files unchanged, and to report missing documents.
   * Default: false.
   */
  readonly isReadOnly?: boolean | undefined;
  /** Network functions and environment variables, which tests replace. */
  readonly environment?: RemoteEnvironment | undefined;
}
