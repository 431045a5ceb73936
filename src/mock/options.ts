import type { MockData } from "./data.js";
import type { Latency } from "./control.js";

/**
 * Handlers of single methods, nested as the resources of the document:
 * `{ files: { export: (call) => … } }`. The other methods remain those of the
 * mock.
 *
 * @typeParam S service interface of the generated server, such as
 *   `DriveService`.
 */
export type MockHandlers<S> = {
  readonly [K in keyof S]?: NonNullable<S[K]> extends (
    ...args: never[]
  ) => unknown
    ? S[K]
    : MockHandlers<S[K]>;
};

/** Service whose handlers are not typed. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type UntypedService = Record<string, any>;

/**
 * Options of `mock`, which starts a mock.
 *
 * @typeParam S type of `handlers`; see {@link MockHandlers}.
 */
export interface MockOptions<S extends object = UntypedService> {
  /** Seed of the generated data. Default: `"1"`. */
  readonly seed?: string | undefined;
  /**
   * True to require API keys, and to respond with 404 for a resource that is
   * not in the list of its collection. Default: false.
   */
  readonly strict?: boolean | undefined;
  /**
   * True to start without resources: lists are empty, and ids that no caller
   * created result in 404. Default: false.
   */
  readonly empty?: boolean | undefined;
  /**
   * Resources at the start: lists keyed by collection, a state that
   * `Mock.state` returned, or the path of a JSON file or of a folder with a file
   * for each collection. A collection with data contains no generated
   * resources. With several documents, the data of each API is below its name.
   */
  readonly data?: MockData | string | undefined;
  /**
   * Handlers of single methods. With several documents, the handlers of each
   * API are below its name.
   */
  readonly handlers?: MockHandlers<S> | undefined;
  /** Delay of each response. Default: none. */
  readonly latency?: Latency | undefined;
  /**
   * True to serve each API below `/<name>/<version>/`, for APIs with
   * conflicting paths. Default: false.
   */
  readonly prefix?: boolean | undefined;
  /**
   * True to validate responses of the mock against the schemas. An invalid
   * response is replaced with a 500 response. Default: false.
   */
  readonly validateResponses?: boolean | undefined;
  /**
   * Folder against which relative paths are resolved. Default: the working
   * directory.
   */
  readonly cwd?: string | undefined;
}
