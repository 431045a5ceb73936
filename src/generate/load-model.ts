import { loadBytes } from "../load/load.js";
import { buildModel } from "./build-model.js";
import type { LoadResult } from "./load-result.js";

/**
 * Builds the model of a document from its bytes or text. The result has no
 * `api` if the document can't be used. Never throws.
 * @param name name of the file, as shown in diagnostics
 */
export function load(
  bytes: Uint8Array | string,
  name = "document",
): LoadResult {
  return buildModel(loadBytes(Buffer.from(bytes), name), false);
}
