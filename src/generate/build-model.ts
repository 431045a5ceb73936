import { locate } from "../diagnostics/locate.js";
import type { Loaded } from "../load/load.js";
import { buildApi } from "../model/build/api.js";
import type { Api } from "../model/ir.js";
import { unedited, type EditedDocument } from "./edit-document.js";
import { reportFailure } from "./failures.js";
import type { LoadResult } from "./load-result.js";

/**
 * Builds the model of a document, and adds line and column numbers to the
 * diagnostics about the document.
 */
export function buildModel(
  { sink, text, document }: Loaded,
  trustProse: boolean,
  edited: EditedDocument | undefined = document && unedited(document),
): LoadResult {
  let api: Api | undefined;
  try {
    api = edited && buildApi(edited.document, sink, { trustProse });
  } catch (error) {
    reportFailure(error, sink);
  }
  const findings = edited?.relocate(sink.diagnostics) ?? sink.diagnostics;
  const diagnostics = text === undefined ? findings : locate(findings, text);
  return api === undefined || sink.hasErrors
    ? { diagnostics }
    : { api, diagnostics };
}
