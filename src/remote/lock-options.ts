import type { ApiSource } from "./document-fetcher.js";
import type { RemoteEnvironment, RemoteOptions } from "./remote-settings.js";

/** API and the path of its fetched document. */
export interface FetchedApi extends ApiSource {
  /** Path relative to the working directory. */
  readonly file: string;
}

/** Location of the lock file, and options for fetching documents. */
export interface LockOptions extends RemoteOptions {
  /** Folder against which relative paths are resolved. */
  readonly cwd: string;
  /** Path of gen.lock.json. */
  readonly lockFile: string;
  /**
   * Reports each API whose document or lock entry is missing or would change, and
   * changes neither documents nor the lock file. Default: false.
   */
  readonly isFrozen?: boolean | undefined;
  /**
   * Reports missing documents, and changes neither documents nor the lock file.
   * Default: false.
   */
  readonly isReadOnly?: boolean | undefined;
  /** Network functions and environment variables, which tests replace. */
  readonly environment?: RemoteEnvironment | undefined;
}
