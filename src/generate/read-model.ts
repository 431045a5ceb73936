import type { LoadResult } from "./api.js";
import { locate } from "../diagnostics/locate.js";
import { reportFailure } from "./failures.js";
import type { Loaded } from "../load/load.js";
import { buildApi } from "../model/build/api.js";
import type { Api } from "../model/ir.js";

/** The model of a document that was read. Never throws. */
export function buildModel(
  { sink, text, document }: Loaded,
  trustProse: boolean,
): LoadResult {
  let api: Api | undefined;
  try {
    api =
      document === undefined
        ? undefined
        : buildApi(document, sink, { trustProse });
  } catch (error) {
    reportFailure(error, sink);
  }
  const diagnostics =
    text === undefined ? sink.diagnostics : locate(sink.diagnostics, text);
  return api === undefined || sink.failed
    ? { diagnostics }
    : { api, diagnostics };
}
