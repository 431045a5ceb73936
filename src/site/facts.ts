import { Sink } from "../diagnostics/sink.js";
import { loadBytes } from "../load/load.js";
import { buildApi } from "../model/build/api.js";
import type { Api, Method, Resource } from "../model/ir.js";
import type { JsonView } from "./json-view.js";

/** Features of a method that pages, tasks and the search show. */
export type Fact =
  | "accepts uploads"
  | "resumable uploads"
  | "downloads content"
  | "paged"
  | "iterated"
  | "long-running"
  | "watches changes"
  | "streams";

/** Facts of each method, keyed by `factKey`. */
export type Facts = ReadonlyMap<string, ReadonlySet<Fact>>;

/** Key of a method in {@link Facts}: its resources, then its name. */
export function factKey(names: readonly string[]): string {
  return JSON.stringify(names);
}

/**
 * Returns the model of a document; undefined if it is not valid. Its features are
 * those of the generated client, so that samples which iterate or wait compile.
 */
export function modelOf(view: JsonView): Api | undefined {
  const bytes = view.bytes.subarray(view.start, view.end);
  const { document } = loadBytes(bytes, "document", new Sink("document"));
  return document && buildApi(document, new Sink(), { trustProse: false });
}

/** Returns the features of all methods of a document. */
export function factsOf(view: JsonView): Facts {
  return factsOfModel(modelOf(view));
}

/** Returns the features of all methods of a model; none if it is undefined. */
export function factsOfModel(api: Api | undefined): Facts {
  const facts = new Map<string, ReadonlySet<Fact>>();
  if (api === undefined) return facts;
  const visit = ({ path, methods, children }: Resource): void => {
    for (const method of methods)
      facts.set(factKey([...path, method.name]), methodFacts(method));
    for (const child of children) visit(child);
  };
  visit(api.root);
  return facts;
}

function methodFacts(method: Method): ReadonlySet<Fact> {
  const { upload, download, rawResponse, paging, links, operation } = method;
  const facts: Record<Fact, boolean> = {
    "accepts uploads": upload !== undefined,
    "resumable uploads": upload?.resumable !== undefined,
    "downloads content": download !== undefined || rawResponse === true,
    paged: paging !== undefined || links !== undefined,
    iterated: paging?.items !== undefined || links !== undefined,
    "long-running": operation?.poll !== undefined,
    "watches changes": /^watch/i.test(method.name),
    streams: method.stream !== undefined && paging === undefined,
  };
  return new Set((Object.keys(facts) as Fact[]).filter((name) => facts[name]));
}
