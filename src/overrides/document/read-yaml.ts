import { isMap, isScalar, parseDocument, type Document } from "yaml";
import { readFast } from "./fast-reader.js";
import { TreeBuilder, tooDeepProblem } from "./tree-builder.js";
import { syntaxMessage } from "./syntax-messages.js";
import {
  yamlProblem,
  type ParsedYaml,
  type YamlProblem,
} from "./parsed-yaml.js";

/**
 * Maximum length in characters of the text that the YAML library parses. If
 * every character is a syntax error, the library takes several seconds to parse
 * 1 MB.
 */
const MAX_CHARACTERS = 1 << 17;

/** Parses YAML into a tree. Resolves aliases and merge keys up to a limit. */
export function readYaml(text: string): ParsedYaml {
  const read = readFast(text);
  if (typeof read !== "number") return { root: read, problems: [] };
  if (text.length <= MAX_CHARACTERS) return readAnyYaml(text);
  return {
    problems: [
      yamlProblem(
        "S02",
        read,
        "a file larger than 128 KiB must use only plain keys, values and lists; this line contains other syntax or an error",
      ),
    ],
  };
}

/** Parses YAML with the YAML library, which supports the complete syntax. */
export function readAnyYaml(text: string): ParsedYaml {
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
    return { problems: [tooDeepProblem()] };
  }
  const problem = documentProblem(document, text);
  if (problem !== undefined) return { problems: [problem] };
  return new TreeBuilder(text).build(document);
}

function documentProblem(
  document: Document,
  text: string,
): YamlProblem | undefined {
  const error = document.errors
    .filter(({ code }) => code !== "DUPLICATE_KEY")
    .sort((a, b) => a.pos[0] - b.pos[0])[0];
  if (error !== undefined) {
    if (error.code === "MULTIPLE_DOCS")
      return yamlProblem(
        "S04",
        separatorAt(text, error.pos[0]),
        "a second document begins here; apigeectl reads only the first one",
      );
    const [at] = error.pos;
    return yamlProblem(
      "S02",
      Math.min(at, text.length),
      syntaxMessage(error.code),
    );
  }
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null))
    return yamlProblem("S03", 0, "the file has no settings");
  if (!isMap(contents))
    return yamlProblem(
      "S06",
      contents.range?.[0] ?? 0,
      "the top level must be a block of keys, not a list or a single value",
    );
  return undefined;
}

/**
 * Returns the offset of the `---` line at or before the given position; the
 * position itself if no such line exists.
 */
function separatorAt(text: string, offset: number): number {
  const before = text.lastIndexOf("\n---", offset + 1);
  return before < 0 ? offset : before + 1;
}
