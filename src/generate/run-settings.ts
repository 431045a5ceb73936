import type { RemoteOptions } from "../remote/remote-options.js";
import type { Engine } from "../render/engine.js";
import type { Emit } from "../targets/shared/target-options.js";
import type { SessionOptions } from "../write/output-session.js";
import type { SpecSettings } from "./api-settings.js";
import type { Timings } from "./timings.js";

/**
 * All settings of a run that is started from the command line or from a
 * program.
 */
export interface Settings {
  readonly specs: readonly SpecSettings[];
  readonly out: string;
  readonly mode: SessionOptions["mode"];
  readonly force: boolean;
  /** True to delete the output of targets that are not requested. */
  readonly prune: boolean;
  readonly templates?: string | undefined;
  /** Language of the output. Default: `"ts"`. */
  readonly emit?: Emit | undefined;
  readonly importSuffix: "js" | "ts" | "none";
  readonly runtime: "copy" | "package";
  /** True to copy the modules for credentials. Default: false. */
  readonly auth?: boolean | undefined;
  /** TypeScript files in which a comment disables type checks. */
  readonly tsNocheck: "none" | "runtime" | "all";
  readonly formatter: "none" | "prettier";
  /** Folder against which relative paths are resolved. */
  readonly cwd: string;
  /**
   * Options for requests to remote servers. Default: the default values of
   * `RemoteOptions`.
   */
  readonly remote?: RemoteOptions | undefined;
  /**
   * True if the run shows info findings. It then renders all documents, and info
   * findings have a line and column.
   */
  readonly showsInfo: boolean;
  /** Function that is called after each document has been processed. */
  readonly onProgress?:
    ((name: string, done: number, total: number) => void) | undefined;
  /**
   * True if `specs` contains every document whose output belongs in the output
   * folder. If none of them fails, the output of all other APIs is deleted.
   * Default: false.
   */
  readonly isComplete?: boolean | undefined;
  /**
   * Template engines, keyed by the path in `templates`, shared by several runs.
   */
  readonly engines?: Map<string | undefined, Engine> | undefined;
  readonly timings?: Timings | undefined;
}
