import { isBareKey, isIdentifier } from "../../model/names.js";

/**
 * Text that is safe to stand in TypeScript. Only the functions of this folder
 * make it, and only it gets through a template: everything else throws.
 */
export class Code {
  constructor(readonly text: string) {}

  /** What Handlebars prints for {{value}}. */
  toHTML(): string {
    return this.text;
  }
}

/** Lines that tell ESLint and Biome to leave a generated file alone. */
export const UNLINTED = `/* eslint-disable */
// biome-ignore-all lint: generated`;

/** Nothing at all. */
export const EMPTY: Code = new Code("");

// Control characters, line separators, and the marks that make text read in
// another order than it runs (Unicode bidirectional controls).
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

function escapeInvisible(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A string literal, with the quotes that Prettier prefers. */
export function literal(value: string): Code {
  return new Code(quote(value));
}

/** Text that needs no escape between double quotes. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** The text of a string literal. */
export function quote(value: string): string {
  if (PLAIN.test(value)) return `"${value}"`;
  const json = JSON.stringify(value).replace(INVISIBLE, escapeInvisible);
  const doubles = value.split('"').length - 1;
  if (doubles === 0 || doubles <= value.split("'").length - 1) return json;
  return `'${json.slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
}

/** A property key: bare where it is an identifier, else quoted. */
export function propertyKey(name: string): Code {
  return new Code(isBareKey(name) ? name : quote(name));
}

/**
 * A property key of an object literal that becomes an own property, whatever
 * its name: a bare `__proto__` would set the prototype.
 */
export function literalKey(name: string): Code {
  return name === "__proto__" ? new Code('["__proto__"]') : propertyKey(name);
}

/** An identifier. Throws for anything else: names are made safe before. */
export function identifier(name: string): Code {
  if (!isIdentifier(name))
    throw new Error(`not an identifier: ${JSON.stringify(name)}`);
  return new Code(name);
}

/** Halves of surrogate pairs, which UTF-8 can't hold. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Makes control and bidirectional characters of prose visible and harmless. */
export function plainText(text: string): string {
  return text
    .replace(/\r\n?|\u2028|\u2029|\u0085/g, "\n")
    .replace(/\t/g, "  ")
    .replace(INVISIBLE, (character) =>
      character === "\n" ? character : escapeInvisible(character),
    )
    .replace(LONE_SURROGATE, escapeInvisible);
}
