import { parseDocument, type Document } from "yaml";
import { positionAt } from "../diagnostics/locate.js";
import { yamlOffset } from "../diagnostics/yaml-offset.js";
import { ConfigFileError, type LoadedConfig } from "./loaded-config.js";

/**
 * Maximum number of aliases. Nested aliases of a small file can expand to
 * gigabytes.
 */
const MAX_ALIASES = 100;

/** Parses a config in YAML. Throws ConfigFileError if the text is not valid. */
export function readYaml(text: string): LoadedConfig {
  const document = parseDocument(text, { prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined)
    throw new ConfigFileError(error.message, positionAt(text, error.pos[0]));
  return {
    value: valueOf(document),
    positionOf: (pointer) => positionAt(text, yamlOffset(document, pointer)),
  };
}

function valueOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch (error) {
    throw new ConfigFileError((error as Error).message);
  }
}
