import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  type CST,
  type Document,
} from "yaml";

/** First error in YAML text, with its offset. */
export class YamlSyntaxError extends Error {
  /** Error code of the YAML library. */
  readonly code: string;
  readonly offset: number;

  constructor(code: string, message: string, offset: number) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

/** Maximum size of YAML files in characters. */
const MAX_LENGTH = 4 * 1024 * 1024;

/** Maximum nesting depth of maps and lists. */
const MAX_DEPTH = 200;

/**
 * Maximum number of aliases. The YAML library searches the complete document
 * for each of them, and nested aliases of a small file can expand to gigabytes.
 */
const MAX_ALIASES = 100;

/**
 * Number of errors after which the parser stops. The YAML library takes several
 * seconds for 1 MB of errors; only the first one is reported.
 */
const MAX_ERRORS = 100;

/** Thrown to stop the YAML library. */
const STOP = new Error("too many errors");

/** Document with the warnings of the YAML library. */
export interface ComposedYaml {
  readonly document: Document.Parsed;
  readonly warnings: readonly YamlSyntaxError[];
}

/**
 * Parses YAML text of one document in linear time, and checks that the keys of
 * each map are unique.
 * @throws YamlSyntaxError
 */
export function parseYaml(text: string): ComposedYaml {
  if (text.length > MAX_LENGTH)
    throw new YamlSyntaxError(
      "RESOURCE_EXHAUSTION",
      `the file must have at most ${MAX_LENGTH} characters, found ${text.length}`,
      0,
    );
  const composed = composeYaml(text);
  checkNodes(composed.document.contents);
  return composed;
}

/**
 * Converts a document of `parseYaml` to JavaScript values.
 * @throws YamlSyntaxError for unknown anchors, and if aliases expand too much
 */
export function yamlValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch (error) {
    throw new YamlSyntaxError("BAD_ALIAS", (error as Error).message, 0);
  }
}

/**
 * Parses YAML text of one document without a check of its keys and aliases, for
 * callers that have their own rules for these.
 * @throws YamlSyntaxError
 */
export function composeYaml(text: string): ComposedYaml {
  try {
    return new YamlText(text).compose();
  } catch (error) {
    // Deeply nested text overflows the stack.
    if (error instanceof RangeError) throw tooDeep(0);
    throw error;
  }
}

function tooDeep(offset: number): YamlSyntaxError {
  return new YamlSyntaxError(
    "RESOURCE_EXHAUSTION",
    "values are nested too deeply",
    offset,
  );
}

/** Runs the YAML library up to a maximum number of errors. */
class YamlText {
  readonly #text: string;
  readonly #errors: YamlSyntaxError[] = [];
  readonly #warnings: YamlSyntaxError[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  compose(): ComposedYaml {
    const [document, second] = this.#documents();
    if (second !== undefined) {
      const [offset] = second.range;
      const separator = this.#text.lastIndexOf("\n---", offset + 1);
      this.#addError(
        separator < 0 ? offset : separator + 1,
        "MULTIPLE_DOCS",
        "the file must contain one document",
      );
    }
    const [error] = this.#errors.sort((a, b) => a.offset - b.offset);
    if (error !== undefined) throw error;
    return { document: document!, warnings: this.#warnings };
  }

  /** Composes at most two documents. */
  #documents(): Document.Parsed[] {
    // The library compares each key with all keys before it, which takes
    // quadratic time.
    const composer = new Composer({ uniqueKeys: false, logLevel: "error" });
    // The library collects all errors; this replacement stops it. A source is an
    // offset, a range or a token.
    composer["onError"] = (
      source: number | readonly [number] | { readonly offset: number },
      code: string,
      message: string,
      isWarning?: boolean,
    ) => {
      const [offset] =
        typeof source === "number"
          ? [source]
          : "offset" in source
            ? [source.offset]
            : source;
      if (isWarning === true) this.#warn(offset, code, message);
      else this.#addError(offset, code, message);
    };
    const documents: Document.Parsed[] = [];
    try {
      const tokens = this.#tokens();
      const { length } = this.#text;
      for (const document of composer.compose(tokens, true, length))
        if (documents.push(document) === 2) break;
    } catch (error) {
      if (error !== STOP) throw error;
    }
    return documents;
  }

  /** Parses tokens. Stops at deeply nested brackets and at too many errors. */
  *#tokens(): Generator<CST.Token> {
    const parser = new Parser();
    let depth = 0;
    for (const lexeme of new Lexer().lex(this.#text)) {
      if (lexeme === "[" || lexeme === "{") depth++;
      else if (lexeme === "]" || lexeme === "}") depth--;
      if (depth > MAX_DEPTH) throw new RangeError();
      yield* this.#valid(parser.next(lexeme));
    }
    yield* this.#valid(parser.end());
  }

  *#valid(tokens: Iterable<CST.Token>): Generator<CST.Token> {
    for (const token of tokens)
      if (token.type === "error")
        this.#addError(token.offset, "UNEXPECTED_TOKEN", token.message);
      else yield token;
  }

  #addError(offset: number, code: string, message: string): void {
    this.#errors.push(new YamlSyntaxError(code, message, offset));
    if (this.#errors.length === MAX_ERRORS) throw STOP;
  }

  #warn(offset: number, code: string, message: string): void {
    if (this.#warnings.length < MAX_ERRORS)
      this.#warnings.push(new YamlSyntaxError(code, message, offset));
  }
}

/** Checks the depth of a document, the number of its aliases, and its keys. */
function checkNodes(contents: unknown): void {
  let aliases = 0;
  const visit = (node: unknown, depth: number): void => {
    const offset = offsetOf(node);
    if (depth > MAX_DEPTH) throw tooDeep(offset);
    if (isAlias(node) && ++aliases > MAX_ALIASES)
      throw new YamlSyntaxError(
        "RESOURCE_EXHAUSTION",
        `the file must have at most ${MAX_ALIASES} aliases`,
        offset,
      );
    if (isSeq(node)) for (const item of node.items) visit(item, depth + 1);
    if (!isMap(node)) return;
    const keys = new Set<unknown>();
    for (const { key, value } of node.items) {
      if (isScalar(key)) {
        if (keys.has(key.value))
          throw new YamlSyntaxError(
            "DUPLICATE_KEY",
            "Map keys must be unique",
            offsetOf(key),
          );
        keys.add(key.value);
      }
      visit(key, depth + 1);
      visit(value, depth + 1);
    }
  };
  visit(contents, 0);
}

function offsetOf(node: unknown): number {
  return (
    (node as { range?: readonly number[] } | null | undefined)?.range?.[0] ?? 0
  );
}
