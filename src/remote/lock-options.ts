import type { ApiSource } from "./remote.js";
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
  /** Changes no file; reports each difference. Default: false. */
  readonly isFrozen?: boolean | undefined;
  /** Replaced by tests. */
  readonly environment?: RemoteEnvironment | undefined;
}
