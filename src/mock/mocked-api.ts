import type { Incoming, Outgoing } from "../runtime/server/request.js";
import type { MockServer } from "./build.js";
import type { MockData } from "./data.js";

export interface MockedApi {
  /** Name of the API, such as `drive`. */
  readonly name: string;
  readonly version: string;
  /** Path prefix of the API: `/`, or `/<name>/<version>/`. */
  readonly root: string;
  /**
   * Prefixes of the paths that the mock serves, in the format of
   * `Service.paths`.
   */
  readonly paths: readonly string[];
  /**
   * Path for batch requests. The mock handles it only if no other mocked API
   * has the same path.
   */
  readonly batchPath: string | undefined;
  handle(request: Incoming): Outgoing | Promise<Outgoing>;
  close(): Promise<void>;
  /** Host in `rootUrl`, such as `drive.googleapis.com`. */
  readonly host: string;
  /** Document of the API. */
  readonly document: Readonly<Record<string, unknown>>;
  /** Tests whether the API has a route for a path. */
  serves(target: string): boolean;
  /** Resources of the mock. */
  readonly server: Pick<MockServer, "load" | "state" | "clear">;
}

/** Function that returns the part of some data that belongs to an API. */
export type DataOf = (
  data: MockData,
  api: { readonly name: string; readonly version: string },
) => MockData;
