import { stringify } from "yaml";
import type { OutputFile } from "../../platform/output-file.js";
import { jsonText, type Json } from "../json-schema/json.js";
import { apiFolder } from "../shared/api-folder.js";
import type { DataInput } from "../target.js";
import { openapiContext } from "./context.js";
import { openapiDocument } from "./document.js";
import { splitDocument } from "./split.js";

/**
 * Prints the OpenAPI document of an API as JSON or YAML, in one or several
 * files.
 */
export function printOpenapi(input: DataInput): OutputFile[] {
  const { api, options } = input;
  const isYaml = options.openapiFormat === "yaml";
  const suffix = isYaml ? ".yaml" : ".json";
  const document = openapiDocument(openapiContext(input));
  const files =
    options.openapiSplit === true
      ? splitDocument(document, suffix)
      : [{ path: `openapi${suffix}`, value: document }];
  return files.map(({ path, value }) => ({
    path: `${apiFolder(api)}/${path}`,
    text: isYaml ? yamlText(value) : jsonText(value),
  }));
}

/**
 * Prints JSON as YAML 1.2 that parsers of YAML 1.1 also read: strings such as
 * `yes` are quoted. Texts are not wrapped.
 */
export function yamlText(value: Json): string {
  return stringify(value, {
    lineWidth: 0,
    aliasDuplicateObjects: false,
    compat: "yaml-1.1",
  });
}
