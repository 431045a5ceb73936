import type { ApiSource } from "./document-fetcher.js";
import type { RemoteEnvironment, RemoteOptions } from "./remote-settings.js";

/** API with the file of its fetched document, relative to the working folder. */
export interface FetchedApi extends ApiSource {
  readonly file: string;
}

/** Files of a project with fetched documents. */
export interface LockOptions extends RemoteOptions {
  /** Base of relative paths. */
  readonly cwd: string;
  /** Path of gen.lock.json. */
  readonly lockFile: string;
  /**
   * Changes no file; reports each difference, and documents without lock.
   * Default: false.
   */
  readonly isFrozen?: boolean | undefined;
  /** Changes no file; missing documents are reported. Default: false. */
  readonly isReadOnly?: boolean | undefined;
  /** Network and environment; replaced by tests. */
  readonly environment?: RemoteEnvironment | undefined;
}
