import { Sink } from "../diagnostics/sink.js";
import { loadBytes } from "../load/load.js";
import { buildApi } from "../model/build/api.js";
import type { Api, Method, Resource } from "../model/ir.js";
import type { JsonView } from "./json-view.js";

/** Features of a method that pages, tasks and the search show. */
export type MethodFeature =
  | "accepts uploads"
  | "resumable uploads"
  | "downloads content"
  | "paged"
  | "iterated"
  | "long-running"
  | "watches changes"
  | "streams";

/** Features of each method, keyed by `methodKey`. */
export type MethodFeatures = ReadonlyMap<string, ReadonlySet<MethodFeature>>;

/** Key of a method in {@link MethodFeatures}: its resources, then its name. */
export function methodKey(names: readonly string[]): string {
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
export function featuresOf(view: JsonView): MethodFeatures {
  return featuresOfModel(modelOf(view));
}

/** Returns the features of all methods of a model; none if it is undefined. */
export function featuresOfModel(api: Api | undefined): MethodFeatures {
  const features = new Map<string, ReadonlySet<MethodFeature>>();
  if (api === undefined) return features;
  const visit = ({ path, methods, children }: Resource): void => {
    for (const method of methods)
      features.set(methodKey([...path, method.name]), featureSet(method));
    for (const child of children) visit(child);
  };
  visit(api.root);
  return features;
}

function featureSet(method: Method): ReadonlySet<MethodFeature> {
  const { upload, download, rawResponse, paging, links, operation } = method;
  const features: Record<MethodFeature, boolean> = {
    "accepts uploads": upload !== undefined,
    "resumable uploads": upload?.resumable !== undefined,
    "downloads content": download !== undefined || rawResponse === true,
    paged: paging !== undefined || links !== undefined,
    iterated: paging?.items !== undefined || links !== undefined,
    "long-running": operation?.poll !== undefined,
    "watches changes": /^watch/i.test(method.name),
    streams: method.stream !== undefined && paging === undefined,
  };
  return new Set(
    (Object.keys(features) as MethodFeature[]).filter((name) => features[name]),
  );
}
