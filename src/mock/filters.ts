import { isJsonObject } from "./conform.js";
import type { JsonObject } from "./values.js";

/** Tests whether a filter selects a resource. */
export type Filter = (resource: JsonObject) => boolean;

/** Maximum length and nesting depth of a filter that is evaluated. */
const MAX_FILTER = 4000;
const MAX_DEPTH = 50;

/**
 * Languages of filters:
 *
 * - `filter`: AIP-160. OR has a higher precedence than AND, and expressions
 *   without an operator between them are joined by AND.
 * - `query`: parameters `q` such as `'id' in parents and name contains 'a'`.
 *   Operators are evaluated from left to right.
 */
export type FilterLanguage = "filter" | "query";

/**
 * Parses a filter of comparisons that are joined by AND, OR and NOT. Returns
 * undefined for other filters, such as search terms, and for fields that resources
 * do not have, such as `fullText`.
 *
 * @param isField tests the name of a member, in camel case
 */
export function parseFilter(
  text: string,
  language: FilterLanguage,
  isField: (name: string) => boolean,
): Filter | undefined {
  if (text.trim() === "" || text.length > MAX_FILTER) return undefined;
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  try {
    return new FilterParser(tokens, language, isField).parse();
  } catch (error) {
    if (error instanceof UnknownSyntax) return undefined;
    throw error;
  }
}

class UnknownSyntax extends Error {}

interface Token {
  readonly kind: "word" | "text" | "operator" | "(" | ")";
  readonly value: string;
}

const TOKEN =
  /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(!=|>=|<=|=|:|>|<)|([()])|([^\s()"'=!<>:,*|]+|\*))/sy;

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  const source = text.trim();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const match = TOKEN.exec(source);
    if (match === null) return undefined;
    const [, double, single, operator, bracket, word] = match;
    const quoted = double ?? single;
    if (quoted !== undefined)
      tokens.push({ kind: "text", value: quoted.replace(/\\(.)/gs, "$1") });
    else if (operator !== undefined)
      tokens.push({ kind: "operator", value: operator });
    else if (bracket !== undefined)
      tokens.push({ kind: bracket as "(" | ")", value: bracket });
    else tokens.push({ kind: "word", value: word! });
  }
  return tokens;
}

/** Operators that are words, and the operators with the same meaning. */
const WORD_OPERATORS: ReadonlyMap<string, string> = new Map([
  ["eq", "="],
  ["ne", "!="],
  ["contains", ":"],
]);

class FilterParser {
  #position = 0;
  #depth = 0;

  constructor(
    readonly tokens: readonly Token[],
    readonly language: FilterLanguage,
    readonly isField: (name: string) => boolean,
  ) {}

  parse(): Filter {
    const filter = this.#expression();
    if (this.#position < this.tokens.length) throw new UnknownSyntax();
    return filter;
  }

  #expression(): Filter {
    if (++this.#depth > MAX_DEPTH) throw new UnknownSyntax();
    const filter =
      this.language === "filter" ? this.#conjunction() : this.#sequence();
    this.#depth--;
    return filter;
  }

  #conjunction(): Filter {
    const parts = [this.#disjunction()];
    while (this.#takesKeyword("AND") || this.#startsTerm())
      parts.push(this.#disjunction());
    return (resource) => parts.every((part) => part(resource));
  }

  #disjunction(): Filter {
    const parts = [this.#term()];
    while (this.#takesKeyword("OR")) parts.push(this.#term());
    return (resource) => parts.some((part) => part(resource));
  }

  #sequence(): Filter {
    let filter = this.#term();
    for (;;) {
      const before = filter;
      if (this.#takesKeyword("AND")) {
        const next = this.#term();
        filter = (resource) => before(resource) && next(resource);
      } else if (this.#takesKeyword("OR")) {
        const next = this.#term();
        filter = (resource) => before(resource) || next(resource);
      } else return filter;
    }
  }

  #term(): Filter {
    const isNegated = this.#takesKeyword("NOT");
    const filter = this.#operand();
    return isNegated ? (resource) => !filter(resource) : filter;
  }

  #operand(): Filter {
    const token = this.#next();
    if (token.kind === "(") {
      const inner = this.#expression();
      if (this.#next().kind !== ")") throw new UnknownSyntax();
      return inner;
    }
    if (token.kind === "text") {
      const field = this.#takesKeyword("IN") ? this.#next() : undefined;
      if (field?.kind !== "word") throw new UnknownSyntax();
      return this.#comparison(field.value, ":", token.value);
    }
    if (token.kind !== "word") throw new UnknownSyntax();
    const isMinus = token.value.startsWith("-") && token.value.length > 1;
    const field = isMinus ? token.value.slice(1) : token.value;
    const { kind, value } = this.#next();
    const operator =
      kind === "operator" ? value : WORD_OPERATORS.get(value.toLowerCase());
    const isOperator = kind === "operator" || kind === "word";
    if (operator === undefined || !isOperator) throw new UnknownSyntax();
    const wanted = this.#next();
    if (wanted.kind !== "word" && wanted.kind !== "text")
      throw new UnknownSyntax();
    const filter = this.#comparison(field, operator, this.#valueFrom(wanted));
    return isMinus ? (resource) => !filter(resource) : filter;
  }

  #comparison(field: string, operator: string, value: string): Filter {
    const path = field.split(".");
    const [first = ""] = path;
    if (!/^[\w.-]+$/.test(field) || !this.isField(camelCase(first)))
      throw new UnknownSyntax();
    return (resource) => isMatch(valueAt(resource, path), operator, value);
  }

  /** Joins the parts of a value without quotes, such as a time. */
  #valueFrom({ kind, value }: Token): string {
    let text = value;
    while (
      kind === "word" &&
      this.tokens[this.#position]?.value === ":" &&
      this.tokens[this.#position + 1]?.kind === "word"
    ) {
      text += `:${this.tokens[this.#position + 1]!.value}`;
      this.#position += 2;
    }
    return text;
  }

  #next(): Token {
    const token = this.tokens[this.#position++];
    if (token === undefined) throw new UnknownSyntax();
    return token;
  }

  #startsTerm(): boolean {
    const kind = this.tokens[this.#position]?.kind;
    return kind === "word" || kind === "(";
  }

  #takesKeyword(keyword: string): boolean {
    const token = this.tokens[this.#position];
    const isKeyword =
      token?.kind === "word" && token.value.toUpperCase() === keyword;
    if (isKeyword) this.#position++;
    return isKeyword;
  }
}

function isMatch(found: unknown, operator: string, value: string): boolean {
  if (operator === ":") return has(found, value);
  // An absent boolean is false.
  const isFalse = value === "false" && (found === undefined || found === null);
  const order = isFalse ? 0 : compare(found, value);
  switch (operator) {
    case "=":
      return order === 0;
    case "!=":
      return order !== 0;
    case ">":
      return order !== undefined && order > 0;
    case ">=":
      return order !== undefined && order >= 0;
    case "<":
      return order !== undefined && order < 0;
    default:
      return order !== undefined && order <= 0;
  }
}

/** The operator `:` tests members, elements, and parts of texts (AIP-160). */
function has(found: unknown, value: string): boolean {
  if (value === "*") return found !== undefined;
  if (Array.isArray(found)) return found.some((one) => String(one) === value);
  if (isJsonObject(found)) return Object.hasOwn(found, value);
  return String(found ?? "")
    .toLowerCase()
    .includes(value.toLowerCase());
}

const INTEGER = /^-?\d{1,20}$/;

function compare(found: unknown, value: string): number | undefined {
  if (found === undefined || found === null) return undefined;
  const text = String(found);
  // Integers of 64 bits are texts.
  if (INTEGER.test(text) && INTEGER.test(value)) {
    const [left, right] = [BigInt(text), BigInt(value)];
    return left < right ? -1 : left > right ? 1 : 0;
  }
  if (typeof found === "number") return Math.sign(found - Number(value));
  return text < value ? -1 : text > value ? 1 : 0;
}

/** Returns the value of a field; names can be in snake case. */
export function valueAt(
  resource: JsonObject,
  path: readonly string[],
): unknown {
  let value: unknown = resource;
  for (const name of path) {
    const camel = camelCase(name);
    value = !isJsonObject(value)
      ? undefined
      : Object.hasOwn(value, name)
        ? value[name]
        : Object.hasOwn(value, camel)
          ? value[camel]
          : undefined;
  }
  return value;
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
