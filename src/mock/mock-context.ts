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
  /** Treats resources that are neither listed nor created as missing. */
  readonly strict: boolean;
}

/** Collection path of a request, and id of a resource in it. */
export interface ResourceKey {
  readonly collection: string;
  /** Empty for singletons. */
  readonly id: string;
}

/** Decoded parameters of a request by name. */
export type Params = Readonly<Record<string, unknown>>;
