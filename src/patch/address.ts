import { tokensOf } from "../diagnostics/types.js";

/**
 * Step from a schema to the schema of its list elements (`items`) or of its map
 * values (`additionalProperties`).
 */
type Step = "items" | "additionalProperties";

/** Name in an address, and the steps after it. */
export interface Segment {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Parsed address of a value in a document. */
export type Address =
  | { readonly pointer: readonly string[] }
  | {
      /**
       * First segment of the address: schemas, methods, parameters, resources
       * or document.
       */
      readonly root: string;
      readonly segments: readonly Segment[];
      /** Names after `#`, which are fields of the description format. */
      readonly fields: readonly string[];
    };

/**
 * Error for an address that can't be parsed. The message is a phrase without a
 * subject, such as "must be a JSON pointer".
 */
export class AddressError extends Error {}

/** Allowed first segments of addresses such as `schemas.File.name`. */
export const ROOTS = [
  "schemas",
  "methods",
  "parameters",
  "resources",
  "document",
] as const;

/**
 * Pattern for a name in an address: a quoted name, or a name without dots,
 * quotes, brackets, braces, `#` or white space.
 */
const NAME = /"(?:[^"\\]|\\.)*"|[^."#[\]{}\s]+/y;

/**
 * Parses an address: a JSON pointer, or names separated by dots such as
 * `schemas.File.name`.
 * @throws AddressError if the text is neither
 */
export function parseAddress(text: string): Address {
  if (text.startsWith("/")) return { pointer: tokensOf(text) };
  const reader = new AddressReader(text);
  const { name: root, steps } = reader.segment();
  if (!(ROOTS as readonly string[]).includes(root) || steps.length > 0)
    throw new AddressError(
      `must be a JSON pointer or begin with ${ROOTS.join(", ")}`,
    );
  const segments: Segment[] = [];
  while (reader.take(".")) segments.push(reader.segment());
  const fields: string[] = [];
  if (reader.take("#"))
    do fields.push(reader.name());
    while (reader.take("."));
  if (!reader.isAtEnd) throw reader.error();
  const isEmpty = segments.length === 0;
  if (root === "document" ? !isEmpty : isEmpty)
    throw new AddressError(
      isEmpty
        ? `must have a name after ${root}`
        : "must have no names between document and #",
    );
  return { root, segments, fields };
}

class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  take(mark: string): boolean {
    if (!this.#text.startsWith(mark, this.#at)) return false;
    this.#at += mark.length;
    return true;
  }

  segment(): Segment {
    const name = this.name();
    const steps: Step[] = [];
    for (;;) {
      if (this.take("[]")) steps.push("items");
      else if (this.take("{}")) steps.push("additionalProperties");
      else return { name, steps };
    }
  }

  name(): string {
    NAME.lastIndex = this.#at;
    const [raw] = NAME.exec(this.#text) ?? [];
    if (raw === undefined) throw this.error();
    this.#at += raw.length;
    if (!raw.startsWith('"')) return raw;
    try {
      return JSON.parse(raw) as string;
    } catch {
      throw this.error();
    }
  }

  error(): AddressError {
    return new AddressError(
      `must have a name, with or without quotes, at character ${this.#at + 1}`,
    );
  }
}
