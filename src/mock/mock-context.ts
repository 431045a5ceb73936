import type { Api, Definition } from "../model/ir.js";
import type { Store } from "./store.js";
import type { ValueMaker } from "./values.js";

/** Model, data and settings of a mock, shared by its handlers. */
export interface MockContext {
  readonly api: Api;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly maker: ValueMaker;
  readonly store: Store;
  readonly seed: string;
  /** Path prefix of the API, such as `/drive/v3`; empty without `--prefix`. */
  readonly basePath: string;
  /**
   * True to treat a resource as missing if it is not in the list of its
   * collection.
   */
  readonly strict: boolean;
  /** True for a mock without generated resources. */
  readonly empty: boolean;
}

/** Caller's view of a request: path parameters, and the root of URLs. */
export interface Caller {
  /** Path parameters. */
  readonly names: Params;
  /**
   * Root URL of the API as the caller sees it, such as
   * `http://127.0.0.1:8080/`; undefined if no request is in progress.
   */
  readonly root: string | undefined;
}

/**
 * Collection path of a request, and the id of a resource in this collection.
 */
export interface ResourceKey {
  readonly collection: string;
  /** Id of the resource; empty for a singleton. */
  readonly id: string;
}

/** Decoded parameters of a request, keyed by name. */
export type Params = Readonly<Record<string, unknown>>;
