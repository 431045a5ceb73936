import { isMap, isScalar, parseDocument, type Document } from "yaml";
import { readFast } from "./fast-reader.js";
import { Reader, tooDeep } from "./tree-builder.js";
import { meaningOf } from "./syntax-messages.js";
import { trouble, type Read, type Trouble } from "./parsed-yaml.js";

/**
 * Largest text in characters that the YAML library reads: it takes seconds for a
 * megabyte, and longer if every character of it is wrong.
 */
const MOST_CHARACTERS = 1 << 17;

/** Reads YAML into a tree; aliases and merge keys are followed, up to a limit. */
export function readYaml(text: string): Read {
  const read = readFast(text);
  if (typeof read !== "number") return { root: read, troubles: [] };
  if (text.length <= MOST_CHARACTERS) return readAnyYaml(text);
  return {
    troubles: [
      trouble(
        "S02",
        read,
        "in a file of more than 128 KiB, only plain keys, values and lists are read; this is something else, or a mistake",
      ),
    ],
  };
}

/** Reads all of YAML, with a place for what is wrong. */
export function readAnyYaml(text: string): Read {
  let document: Document;
  try {
    document = parseDocument(text, {
      prettyErrors: false,
      uniqueKeys: false,
      stringKeys: false,
      logLevel: "error",
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { troubles: [tooDeep()] };
  }
  const stop = syntaxTrouble(document, text);
  if (stop !== undefined) return { troubles: [stop] };
  return new Reader(text).read(document);
}

function syntaxTrouble(document: Document, text: string): Trouble | undefined {
  const error = document.errors
    .filter(({ code }) => code !== "DUPLICATE_KEY")
    .sort((a, b) => a.pos[0] - b.pos[0])[0];
  if (error !== undefined) {
    if (error.code === "MULTIPLE_DOCS")
      return trouble(
        "S04",
        separatorAt(text, error.pos[0]),
        "another document begins here; the control tool reads one",
      );
    const [at] = error.pos;
    return trouble("S02", Math.min(at, text.length), meaningOf(error.code));
  }
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null))
    return trouble("S03", 0, "the file holds no settings");
  if (!isMap(contents))
    return trouble(
      "S06",
      contents.range?.[0] ?? 0,
      "the file holds no keys at the top, but a list or a single value",
    );
  return undefined;
}

/** The marker between two documents, at or after an offset. */
function separatorAt(text: string, offset: number): number {
  const before = text.lastIndexOf("\n---", offset + 1);
  return before < 0 ? offset : before + 1;
}
