import { positionAt } from "../diagnostics/locate.js";
import { JsonScanner } from "../diagnostics/scanner.js";
import { ConfigFileError, type LoadedConfig } from "./loaded-config.js";

/**
 * Parses a config in JSON. Throws ConfigFileError if the text is not valid JSON
 * or a key occurs twice.
 */
export function readJson(text: string): LoadedConfig {
  const scanner = (): JsonScanner => new JsonScanner(text);
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch {
    const error = scanner().findError();
    throw new ConfigFileError(
      error?.message ?? "syntax error",
      positionAt(text, error?.offset ?? 0),
    );
  }
  const [duplicate] = scanner().duplicateKeys();
  if (duplicate !== undefined)
    throw new ConfigFileError(
      `the key at ${duplicate[0]} occurs twice`,
      positionAt(text, duplicate[1]),
    );
  return {
    value,
    positionOf: (pointer) => {
      const offset = scanner()
        .find(new Set([pointer]))
        .get(pointer);
      return offset === undefined ? undefined : positionAt(text, offset);
    },
  };
}
