import { Sink } from "../../../src/diagnostics/sink.js";
import type { Api, Method } from "../../../src/model/ir.js";
import { loadBytes } from "../../../src/load/load.js";
import { buildApi } from "../../../src/model/build/api.js";
import { NameScope } from "../../../src/model/names.js";
import type { ApiContext } from "../../../src/targets/shared/api-context.js";
import { FileContext } from "../../../src/targets/shared/file-context.js";
import { contextOf, description } from "../../support/generate.js";

type Json = Readonly<Record<string, unknown>>;

/** Builds the model of a document without printing it. */
export function modelOf(parts: Json): Api {
  const text = JSON.stringify(description(parts));
  const { document, sink } = loadBytes(Buffer.from(text), "test.json");
  if (document === undefined)
    throw new Error(JSON.stringify(sink.diagnostics, undefined, 1));
  return buildApi(document, sink, { trustProse: false });
}

/** Returns the context of a document with the given parts. */
export function contextWith(parts: Json): ApiContext {
  return contextOf(modelOf(parts));
}

/** Returns the only method of a document, with its context. */
export function methodWith(
  raw: Json,
  parts: Json = {},
): { readonly method: Method; readonly context: ApiContext } {
  const get = { id: "demo.get", path: "x", httpMethod: "GET", ...raw };
  const context = contextWith({ ...parts, methods: { get } });
  return { method: context.methods[0]!, context };
}

/** Returns a file of an API in the folder of resources. */
export function fileIn(context: ApiContext): FileContext {
  return new FileContext(context, new NameScope(), "../");
}

/** Returns the messages that a function reports. */
export function messagesOf(report: (sink: Sink) => unknown): string[] {
  const sink = new Sink();
  report(sink);
  return sink.diagnostics.map(({ message }) => message);
}
