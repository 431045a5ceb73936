import { methodsOf } from "../../model/queries.js";
import type { Api, Definition, Method } from "../../model/ir.js";
import type { ApiNames } from "./naming.js";
import type { TargetOptions } from "./target-options.js";

/**
 * API model, names and settings from which all files of an API are generated.
 */
export interface ApiContext {
  readonly api: Api;
  readonly names: ApiNames;
  readonly options: TargetOptions;
  /** Methods of all resources, in the order of the document. */
  readonly methods: readonly Method[];
  readonly definitions: ReadonlyMap<string, Definition>;
}

/**
 * Returns the model, names and settings of an API, with additional lists and
 * maps that targets need.
 */
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
