import {
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Document,
  type Node,
} from "yaml";
import { positionAt, type TextPosition } from "../diagnostics/locate.js";
import { tokensOf } from "../diagnostics/types.js";
import { ConfigFileError, type LoadedConfig } from "./loaded-config.js";

/**
 * Maximum number of aliases. Nested aliases of a small file can expand to
 * gigabytes.
 */
const MAX_ALIASES = 100;

/** Parses a config in YAML. Throws ConfigFileError. */
export function readYaml(text: string): LoadedConfig {
  const document = parseDocument(text, { prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined)
    throw new ConfigFileError(error.message, positionAt(text, error.pos[0]));
  return {
    value: valueOf(document),
    positionOf: (pointer) => positionIn(document, pointer, text),
  };
}

function valueOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch (error) {
    throw new ConfigFileError((error as Error).message);
  }
}

/**
 * Returns the position of the key or element at a JSON pointer. If it does not
 * exist, returns the position of its nearest ancestor.
 */
function positionIn(
  { contents }: Document,
  pointer: string,
  text: string,
): TextPosition {
  let node = contents as Node | null;
  let offset = node?.range?.[0] ?? 0;
  for (const token of tokensOf(pointer)) {
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key }) => isScalar(key) && String(key.value) === token,
      );
      if (pair === undefined) break;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      node = (node.items[Number(token)] ?? null) as Node | null;
      offset = node?.range?.[0] ?? offset;
    } else break;
  }
  return positionAt(text, offset);
}
