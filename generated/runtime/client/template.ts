/* eslint-disable */
// biome-ignore-all lint: generated

import { encode } from "./escape.js";
import type { Lookup, Service } from "./service.js";
import { dotSegment, expandPath } from "./url.js";

/** How an operator joins what it expands (RFC 6570, appendix A). */
interface Style {
  /** Before the first value. */
  readonly first: string;
  /** Between values. */
  readonly separator: string;
  /** Whether values are preceded by their names. */
  readonly named: boolean;
  /** After the name of an empty value. */
  readonly ifEmpty: string;
  /** Whether reserved characters and percent triplets stay. */
  readonly reserved: boolean;
}

/** One variable of an expression: its name and its modifier. */
interface Variable {
  readonly name: string;
  readonly explode: boolean;
  readonly length: number;
}

/**
 * Expands a URI template as RFC 6570 says, up to level 4. Booleans and
 * numbers count as their text; `undefined` and `null`, empty arrays and empty
 * objects as not given. Text outside of expressions is left as it is.
 *
 * With a service, as in descriptors, the template is that of a path: `{name}`
 * and `{+name}` must have values, as in any path; `{?...}` and `{&...}` expand
 * to nothing, since what the path leaves goes to the query anyway.
 *
 * @param lookup gives a variable's value: text, an array or a plain object.
 * @throws SyntaxError for a template that is not well-formed.
 * @throws TypeError for a value that would leave the path.
 * @throws URIError for a lone surrogate.
 */
export function expandTemplate(
  template: string,
  lookup: Lookup,
  service?: Service,
): string {
  const expanded = template.replace(
    /\{([^{}]*)\}|[{}]/g,
    (whole, expression: string | undefined) => {
      if (!expression) throw malformed(whole);
      if (service && /^\+?[^+#./;?&,*:][^,*:]*$/.test(expression))
        return expandPath(whole, lookup, service);
      if (service && /^[?&]/.test(expression)) return "";
      return expandExpression(expression, lookup);
    },
  );
  if (service && (dotSegment.test(expanded) || /[?#]/.test(expanded)))
    throw new TypeError("a parameter leaves the path");
  return expanded;
}

function expandExpression(expression: string, lookup: Lookup): string {
  const [, operator = "", list = ""] =
    /^([+#./;?&]?)(.*)$/.exec(expression) ?? [];
  const style = styleOf(operator);
  const parts = list.split(",").flatMap((text) => {
    const variable = parseVariable(text);
    return expandVariable(variable, lookup(variable.name), style);
  });
  return parts.length ? style.first + parts.join(style.separator) : "";
}

function styleOf(operator: string): Style {
  const separator = { "": ",", "+": ",", "#": ",", "?": "&" }[operator];
  return {
    first: operator === "+" ? "" : operator,
    separator: separator ?? operator,
    named: /[;?&]/.test(operator),
    ifEmpty: operator === ";" ? "" : "=",
    reserved: /[+#]/.test(operator),
  };
}

function parseVariable(text: string): Variable {
  const match = /^((?:[\w$.-]|%[\da-f]{2})+)(?:(\*)|:([1-9]\d{0,3}))?$/i.exec(
    text,
  );
  if (!match?.[1]) throw malformed(text);
  const length = match[3] ? Number(match[3]) : Infinity;
  return { name: match[1], explode: match[2] !== undefined, length };
}

function malformed(text: string): SyntaxError {
  return new SyntaxError(`not a URI template: ${text}`);
}

function expandVariable(
  { name, explode, length }: Variable,
  value: unknown,
  style: Style,
): string[] {
  if (value == null) return [];
  if (typeof value !== "object") {
    const prefix = [...String(value)].slice(0, length).join("");
    return [label(name, encodeBy(style, prefix), style)];
  }
  const pairs = pairsOf(value);
  if (!pairs.length) return [];
  const keyed = !Array.isArray(value);
  const text = (item: unknown) => encodeBy(style, String(item));
  if (!explode) {
    const flat = pairs.flatMap(([key, item]) => (keyed ? [key, item] : [item]));
    return [label(name, flat.map(text).join(","), style)];
  }
  return pairs.map(([key, item]) => {
    if (keyed && !style.named) return `${text(key)}=${text(item)}`;
    return label(keyed ? text(key) : name, text(item), style);
  });
}

/** The members that are given; for an array, with their positions. */
function pairsOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, item]) => item != null);
}

function label(name: string, text: string, style: Style): string {
  if (!style.named) return text;
  return text ? `${name}=${text}` : name + style.ifEmpty;
}

function encodeBy({ reserved }: Style, text: string): string {
  return reserved
    ? text.replace(notReserved, encodeURIComponent)
    : encode(text);
}

/** A percent sign that begins no triplet; what is not reserved nor unreserved. */
const notReserved = /%(?![\da-f]{2})|[^\w.~:/?#[\]@!$&'()*+,;=%-]+/gi;
