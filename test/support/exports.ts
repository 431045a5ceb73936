import { Sink } from "../../src/diagnostics/sink.js";
import type { Diagnostic } from "../../src/diagnostics/types.js";
import { loadBytes } from "../../src/load/load.js";
import { buildApi } from "../../src/model/build/api.js";
import type { Api } from "../../src/model/ir.js";
import { printJsonSchemas } from "../../src/targets/json-schema/print.js";
import { printOpenapi } from "../../src/targets/openapi/print.js";
import type { TargetOptions } from "../../src/targets/target.js";

/** Files that the targets `openapi` and `json-schema` print for a document. */
export interface Exported {
  readonly api: Api;
  /** Text by path without the folder of the API, e.g. `openapi.json`. */
  readonly files: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Exports a document. Throws if the document is refused. */
export function exportApi(
  document: unknown,
  options: Partial<TargetOptions> = {},
): Exported {
  const text =
    typeof document === "string" ? document : JSON.stringify(document);
  const sink = new Sink("test.json");
  const loaded = loadBytes(Buffer.from(text), "test.json", sink);
  if (loaded.document === undefined)
    throw new Error(JSON.stringify(sink.diagnostics));
  const settings = {
    importSuffix: ".js",
    trustProse: false,
    ...options,
  } as const;
  const api = buildApi(loaded.document, sink, settings);
  const input = { api, options: settings, sink };
  const files = [...printOpenapi(input), ...printJsonSchemas(input)];
  return {
    api,
    files: new Map(
      files.map((file) => [file.path.split("/").slice(2).join("/"), file.text]),
    ),
    diagnostics: sink.diagnostics,
  };
}

/** Value of an exported document. */
export interface Node {
  readonly [key: string]: Node;
}

/** Returns an exported document as an object. */
export function parsed({ files }: Exported, name: string): Node {
  return JSON.parse(files.get(name)!) as Node;
}
