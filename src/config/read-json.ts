import { duplicateKeys, syntaxErrorIn } from "../diagnostics/json-text.js";
import { locatePointers, positionAt } from "../diagnostics/locate.js";
import { ConfigFileError, type LoadedConfig } from "./loaded-config.js";

/**
 * Parses a config in JSON. Throws ConfigFileError if the text is not valid JSON
 * or a key occurs twice.
 */
export function readJson(text: string): LoadedConfig {
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch {
    const { message, offset } = syntaxErrorIn(text);
    throw new ConfigFileError(message, positionAt(text, offset));
  }
  const [duplicate] = duplicateKeys(text);
  if (duplicate !== undefined)
    throw new ConfigFileError(
      `the key at ${duplicate[0]} occurs twice`,
      positionAt(text, duplicate[1]),
    );
  return {
    value,
    positionOf: (pointer) => locatePointers(text, [pointer]).get(pointer),
  };
}
