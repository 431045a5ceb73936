import { methodsOf } from "../../model/queries.js";
import type { Api, Definition, Method } from "../../model/ir.js";
import type { ApiNames } from "./naming.js";
import type { TargetOptions } from "./target-options.js";

/** Model, names and settings from which all files of an API are generated. */
export interface ApiContext {
  readonly api: Api;
  readonly names: ApiNames;
  readonly options: TargetOptions;
  /** All methods, in the order of the document. */
  readonly methods: readonly Method[];
  readonly definitions: ReadonlyMap<string, Definition>;
}

/** Adds lists and maps that targets need to the model and names of an API. */
export function apiContext(
  api: Api,
  names: ApiNames,
  options: TargetOptions,
): ApiContext {
  return {
    api,
    names,
    options,
    methods: methodsOf(api.root),
    definitions: new Map(
      api.definitions.map((definition) => [definition.id, definition]),
    ),
  };
}
