import { visible, visibleLines } from "../../diagnostics/invisible.js";
import { isBareKey, isIdentifier } from "../../model/names.js";

/**
 * Text that can be printed safely into a TypeScript file. Templates print only
 * instances of this class and throw for strings, so that unescaped text from a
 * document can't reach the output.
 */
export class Code {
  constructor(readonly text: string) {}

  /** Returns the text that Handlebars prints for `{{value}}`. */
  toHTML(): string {
    return this.text;
  }
}

/** Comments that disable ESLint and Biome in a generated file. */
export const UNLINTED = `/* eslint-disable */
// biome-ignore-all lint: generated`;

/** Comment that disables type checks of a TypeScript file. */
export const NOCHECK = "// @ts-nocheck";

/** Code that prints nothing. */
export const EMPTY: Code = new Code("");

/** Returns a string literal with the quotes that Prettier prefers. */
export function literal(value: string): Code {
  return new Code(quote(value));
}

/** Pattern that matches text that needs no escapes between double quotes. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Returns the text of a string literal that contains the value. */
export function quote(value: string): string {
  if (PLAIN.test(value)) return `"${value}"`;
  const json = visible(JSON.stringify(value));
  const doubles = value.split('"').length - 1;
  if (doubles === 0 || doubles <= value.split("'").length - 1) return json;
  return `'${json.slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
}

/** Returns a property key. The key is quoted unless it is an identifier. */
export function propertyKey(name: string): Code {
  return new Code(isBareKey(name) ? name : quote(name));
}

/**
 * Returns a key of an object literal. `__proto__` is printed as a computed key,
 * because an ordinary key would set the prototype.
 */
export function literalKey(name: string): Code {
  return name === "__proto__" ? new Code('["__proto__"]') : propertyKey(name);
}

/**
 * Returns an identifier as code. Throws if the name is not a valid identifier;
 * callers must convert names first.
 */
export function identifier(name: string): Code {
  if (!isIdentifier(name))
    throw new Error(`name is not an identifier: ${JSON.stringify(name)}`);
  return new Code(name);
}

/** Pattern that matches unpaired surrogates, which UTF-8 can't encode. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Escapes control characters and bidirectional control characters in text from
 * a document, except line feeds.
 */
export function plainText(text: string): string {
  return visibleLines(
    text.replace(/\r\n?|\u2028|\u2029|\u0085/g, "\n").replace(/\t/g, "  "),
  ).replace(LONE_SURROGATE, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
}
