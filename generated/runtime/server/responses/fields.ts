/* eslint-disable */
// biome-ignore-all lint: generated

import { ApiError } from "../error.js";

/**
 * Selected members of an object, keyed by name; `*` selects all members. An
 * empty selection selects the complete value.
 */
export type Selection = Map<string, Selection>;

/** Maximum nesting depth of a selection. */
const MAX_DEPTH = 64;

/**
 * Parses the selection of a partial response, such as
 * `a,b/c,d(e,f/g),items(id)`. Dots are equivalent to slashes.
 *
 * @throws ApiError 400 for an invalid selection.
 */
export function parseFields(text: string): Selection {
  const reader = new FieldsReader(text);
  const selection = reader.list(0);
  if (!reader.isDone) throw malformed(text);
  return selection;
}

class FieldsReader {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get isDone(): boolean {
    return this.#at === this.#text.length;
  }

  list(depth: number): Selection {
    if (depth > MAX_DEPTH) throw malformed(this.#text);
    const selection: Selection = new Map();
    do this.#path(selection, depth);
    while (this.#take(","));
    return selection;
  }

  /**
   * Parses names that are separated by slashes or dots. A list in parentheses
   * can follow the last name.
   */
  #path(selection: Selection, depth: number): void {
    let inner = selection;
    let steps = depth;
    do {
      const name = this.#name();
      let next = inner.get(name);
      if (next === undefined) inner.set(name, (next = new Map()));
      inner = next;
      if (++steps > MAX_DEPTH) throw malformed(this.#text);
    } while (this.#take("/") || this.#take("."));
    if (!this.#take("(")) return void inner.set("*", new Map());
    for (const [name, below] of this.list(steps)) inner.set(name, below);
    if (!this.#take(")")) throw malformed(this.#text);
  }

  #name(): string {
    NAME.lastIndex = this.#at;
    const name = NAME.exec(this.#text)?.[0];
    if (name === undefined) throw malformed(this.#text);
    this.#at += name.length;
    return name.trim();
  }

  #take(character: string): boolean {
    const isNext = this.#text[this.#at] === character;
    if (isNext) this.#at++;
    return isNext;
  }
}

const NAME = /[^,/.()]+/y;

function malformed(text: string): ApiError {
  const message = `Invalid field selection ${JSON.stringify(text.slice(0, 200))}.`;
  const location = "fields";
  const reason = "invalidParameter";
  return new ApiError(400, message, {
    reason,
    problems: [{ message, reason, location, locationType: "parameter" }],
  });
}

/**
 * Returns the selected part of a value. A selection applies to each element of
 * a list.
 */
export function select(value: unknown, selection: Selection): unknown {
  if (selection.size === 0 || typeof value !== "object" || value === null)
    return value;
  if (Array.isArray(value)) return value.map((one) => select(one, selection));
  const wildcard = selection.get("*");
  const entries = Object.entries(value).flatMap(([name, member]) => {
    const below = selection.get(name) ?? wildcard;
    return below === undefined ? [] : [[name, select(member, below)] as const];
  });
  return Object.fromEntries(entries);
}
