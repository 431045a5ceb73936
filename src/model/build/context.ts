import { suggestion } from "../../diagnostics/closest.js";
import type { Sink } from "../../diagnostics/sink.js";
import { escapeToken } from "../../diagnostics/types.js";
import type { RawExtensions } from "../../load/raw.js";
import type { Code } from "../../diagnostics/catalogue.js";
import type { Definition, Method, Mutable, ScalarType, Schema } from "../ir.js";
import { absoluteLinks } from "../infer/absolute-links.js";

/**
 * Location in the document, as a linked list of reference tokens. The JSON
 * pointer is built only for diagnostics, because most locations are never
 * printed.
 */
export interface DocumentPath {
  readonly parent?: DocumentPath;
  readonly token: string | number;
}

/** Returns the location that is reached by following `tokens` from `parent`. */
export function child(
  parent: DocumentPath | undefined,
  ...tokens: (string | number)[]
): DocumentPath {
  let at = parent;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    at = at === undefined ? { token } : { parent: at, token };
  }
  return at as DocumentPath;
}

/** Returns the JSON pointer of a location. */
export function pointerTo(at: DocumentPath | undefined): string {
  // All tokens are joined at once, because V8 keeps the parts of a concatenated
  // string in memory.
  const tokens: string[] = [];
  for (let link = at; link !== undefined; link = link.parent)
    tokens.push(escapeToken(String(link.token)));
  tokens.push("");
  return tokens.reverse().join("/");
}

/**
 * Maximum number of unknown keys for which a similar known key is suggested.
 */
const MAX_SUGGESTIONS = 100;

/**
 * Maximum length of an unknown key for which a similar known key is suggested.
 * All known keys are shorter.
 */
const MAX_KEY = 50;

/** State that all builders of one API share. */
export class BuildContext {
  readonly definitions: Map<string, Mutable<Definition>> = new Map();
  /** Values of `x-paging`, keyed by method. */
  readonly declaredPaging: Map<Method, unknown> = new Map();
  readonly #inlineIds = new Set<string>();
  /**
   * Map from a preferred id that is already used, such as `File.owner`, to the
   * next number to append (`File.owner#2`).
   */
  readonly #nextIds = new Map<string, number>();
  readonly #methodIds = new Set<string>();
  readonly #scalars = new Map<string, Schema>();
  readonly #patterns = new Set<string>();
  readonly #unknownKeys = new Map<
    string,
    { count: number; at: DocumentPath; known: ReadonlySet<string> }
  >();

  constructor(
    readonly sink: Sink,
    /** Ids of the document's schemas. */
    readonly schemaIds: ReadonlySet<string>,
    /** Extensions that the document declares for all methods. */
    readonly extensions: RawExtensions = {},
    /** Names of the common parameters, which all methods accept. */
    readonly commonNames: readonly string[] = [],
    /**
     * Origin of the URL in `documentationLink`. Relative links in descriptions
     * are resolved against it.
     */
    private readonly origin?: string,
  ) {}

  /** Converts relative links in a description to absolute links. */
  prose(description: string): string {
    return absoluteLinks(description, this.origin);
  }

  /**
   * Returns the schema of a scalar. Equal schemas are represented by the same
   * object, which saves memory.
   */
  scalar(type: ScalarType, format: string | undefined): Schema {
    const key = format === undefined ? type : `${type} ${format}`;
    let schema = this.#scalars.get(key);
    if (schema === undefined) {
      schema =
        format === undefined
          ? { kind: "scalar", type }
          : { kind: "scalar", type, format };
      this.#scalars.set(key, schema);
    }
    return schema;
  }

  /** Reserves a method id. Returns false if another method already uses it. */
  reserveMethodId(id: string): boolean {
    const isFree = !this.#methodIds.has(id);
    this.#methodIds.add(id);
    return isFree;
  }

  /**
   * Tests whether a pattern is a valid regular expression. Results are cached,
   * because the same pattern often occurs several times in a document.
   */
  isPattern(source: string): boolean {
    if (this.#patterns.has(source)) return true;
    try {
      new RegExp(source);
    } catch {
      return false;
    }
    this.#patterns.add(source);
    return true;
  }

  report(code: Code, message: string, at?: DocumentPath | string): void {
    this.sink.report(
      code,
      message,
      typeof at === "string" ? at : pointerTo(at),
    );
  }

  /**
   * Records a key that the description format does not define, so that
   * `reportUnknownKeys` can report it. Keys that start with `x-` are allowed.
   * @param known keys that the format defines, from which the most similar one
   *   is suggested
   */
  unknownKey(
    key: string,
    known: ReadonlySet<string>,
    at: DocumentPath | undefined,
  ): void {
    if (key.startsWith("x-")) return;
    const seen = this.#unknownKeys.get(key);
    if (seen === undefined)
      this.#unknownKeys.set(key, { count: 1, at: child(at, key), known });
    else seen.count++;
  }

  reportUnknownKeys(): void {
    const byKey = [...this.#unknownKeys].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [index, [key, { count, at, known }]] of byKey.entries()) {
      // No suggestion is computed for a long key, because the computation would
      // take too long.
      const isCompared = index < MAX_SUGGESTIONS && key.length <= MAX_KEY;
      const hint = isCompared ? suggestion(key, [...known]) : "";
      const times = count === 1 ? "" : ` (first of ${count} occurrences)`;
      this.report(
        "shape-unknown-key",
        `unknown key ${JSON.stringify(key)}${hint}${times}`,
        at,
      );
    }
  }

  /**
   * Reserves a unique id for an inline definition. A number is appended if the
   * preferred id is already used.
   */
  reserveInlineId(preferred: string): string {
    let id = preferred;
    if (this.#isTaken(id)) {
      let count = this.#nextIds.get(preferred) ?? 2;
      do id = `${preferred}#${count++}`;
      while (this.#isTaken(id));
      this.#nextIds.set(preferred, count);
    }
    this.#inlineIds.add(id);
    return id;
  }

  #isTaken(id: string): boolean {
    return this.#inlineIds.has(id) || this.schemaIds.has(id);
  }
}
