import type { OutputFile } from "../../render/output-file.js";
import { jsonMembers } from "../json-schema/json.js";
import { jsonParts, PrintedMembers } from "../json-schema/json-text.js";
import { apiFolder } from "../shared/api-folder.js";
import type { DataInput } from "../target.js";
import { openapiContext } from "./context.js";
import { openapiDocument } from "./document.js";
import { splitDocument } from "./split.js";
import { yamlText } from "./yaml.js";

/**
 * Prints the OpenAPI document of an API as JSON or YAML, in one or several
 * files.
 */
export function printOpenapi(input: DataInput): OutputFile[] {
  const { api, options, texts } = input;
  const isYaml = options.openapiFormat === "yaml";
  const suffix = isYaml ? ".yaml" : ".json";
  const isSplit = options.openapiSplit === true;
  const document = openapiDocument(
    openapiContext(input),
    isYaml || isSplit
      ? jsonMembers
      : (members, indent) => new PrintedMembers(indent, texts).add(members),
  );
  const files = isSplit
    ? splitDocument(document, suffix)
    : [{ path: `openapi${suffix}`, value: document }];
  return texts.files(
    files.map(({ path, value }) => ({
      path: `${apiFolder(api)}/${path}`,
      parts: isYaml ? [yamlText(value)] : jsonParts(value),
    })),
  );
}
