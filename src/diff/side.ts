import { Sink } from "../diagnostics/sink.js";
import type { RawDocument } from "../load/raw.js";
import { buildApi } from "../model/build/api.js";
import type { Api, Definition, Method } from "../model/ir.js";
import { methodsOf, type Definitions } from "../model/queries.js";
import { nameApi, type ApiNames } from "../targets/shared/naming.js";

/**
 * Old or new document of a comparison, with its model and the names of its
 * generated code.
 */
export interface Side {
  readonly document: RawDocument;
  readonly api: Api;
  readonly definitions: Definitions;
  readonly methods: readonly Method[];
  readonly names: ApiNames;
  /** Path of the resource that contains a method, keyed by method. */
  readonly resourceOf: ReadonlyMap<Method, string>;
  readonly trustProse: boolean;
}

/**
 * Builds the model of a document and the names of its generated code. Ignores
 * findings about the document, since `gen` and `gen validate` report them.
 */
export function sideOf(document: RawDocument, trustProse: boolean): Side {
  const api = buildApi(document, new Sink(), { trustProse });
  const resourceOf = new Map<Method, string>();
  const visit = (resource: Api["root"]): void => {
    for (const method of resource.methods)
      resourceOf.set(method, resource.path.join("."));
    for (const child of resource.children) visit(child);
  };
  visit(api.root);
  return {
    document,
    api,
    definitions: new Map(
      api.definitions.map((one): [string, Definition] => [one.id, one]),
    ),
    methods: methodsOf(api.root),
    names: nameApi(api, new Sink()),
    resourceOf,
    trustProse,
  };
}
