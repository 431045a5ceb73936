import type { Sink } from "../../diagnostics/sink.js";
import { escapeToken } from "../../diagnostics/types.js";
import type { RawExtensions } from "../../load/raw.js";
import type { Code } from "../../diagnostics/catalogue.js";
import type { Definition, Mutable } from "../ir.js";
import { absoluteLinks } from "../infer/absolute-links.js";

/** A place in the document, as a chain that costs nothing until it is shown. */
export interface DocumentPath {
  readonly parent?: DocumentPath;
  readonly token: string | number;
}

/** The place below another one. */
export function child(
  parent: DocumentPath | undefined,
  ...tokens: (string | number)[]
): DocumentPath {
  let at = parent;
  for (const token of tokens)
    at = at === undefined ? { token } : { parent: at, token };
  return at as DocumentPath;
}

/** The JSON pointer of a place. */
export function pointerTo(at: DocumentPath | undefined): string {
  let pointer = "";
  for (let link = at; link !== undefined; link = link.parent) {
    pointer = `/${escapeToken(String(link.token))}${pointer}`;
  }
  return pointer;
}

/** What the builders of one API share. */
export class BuildContext {
  readonly definitions: Map<string, Mutable<Definition>> = new Map();
  readonly #inlineIds = new Set<string>();
  /** Next number to try, by preferred id. */
  readonly #nextIds = new Map<string, number>();
  readonly #methodIds = new Set<string>();
  readonly #patterns = new Set<string>();
  readonly #unknownKeys = new Map<
    string,
    { count: number; at: DocumentPath }
  >();

  constructor(
    readonly sink: Sink,
    /** Ids of the document's schemas. */
    readonly schemaIds: ReadonlySet<string>,
    /** Extensions of the document that hold for all methods. */
    readonly extensions: RawExtensions = {},
    /** Names of the parameters that all methods have. */
    readonly commonNames: readonly string[] = [],
    /** Origin of the documentation, for links in descriptions. */
    private readonly origin?: string,
  ) {}

  /** A description with links that work outside of the documentation, too. */
  prose(description: string): string {
    return absoluteLinks(description, this.origin);
  }

  /** Records a method id; returns false if another method has it. */
  takeMethodId(id: string): boolean {
    const isFree = !this.#methodIds.has(id);
    this.#methodIds.add(id);
    return isFree;
  }

  /** Returns true if a pattern is a regular expression; cached, since documents repeat patterns. */
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

  /** Counts a key that the format does not define; extensions are welcome. */
  unknownKey(key: string, at: DocumentPath | undefined): void {
    if (key.startsWith("x-")) return;
    const seen = this.#unknownKeys.get(key);
    if (seen === undefined)
      this.#unknownKeys.set(key, { count: 1, at: child(at, key) });
    else seen.count++;
  }

  reportUnknownKeys(): void {
    const byKey = [...this.#unknownKeys].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [key, { count, at }] of byKey) {
      const times =
        count === 1 ? "" : ` (${count} places, the first of them here)`;
      this.report(
        "shape-unknown-key",
        `unknown key ${JSON.stringify(key)}${times}`,
        at,
      );
    }
  }

  /** A free id for an inline definition, which is taken from now on. */
  freeId(preferred: string): string {
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
