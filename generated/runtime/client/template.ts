/* eslint-disable */
// biome-ignore-all lint: generated

import { encode } from "./values.js";
import type { Lookup, Service } from "./contract.js";
import { dotSegment, expandPath } from "./build-request.js";

/**
 * Format of an expression's values. It depends on the operator of the
 * expression, such as `?` in `{?name}` (RFC 6570, appendix A).
 */
interface Style {
  /** Text before the first value. */
  readonly first: string;
  /** Text between values. */
  readonly separator: string;
  /** `true` if values are preceded by their names and `=`. */
  readonly named: boolean;
  /** Text after the name of an empty value. */
  readonly ifEmpty: string;
  /** `true` if reserved characters and percent triplets are not encoded. */
  readonly reserved: boolean;
}

/** Variable of an expression, with its modifiers. */
interface Variable {
  readonly name: string;
  readonly explode: boolean;
  readonly length: number;
}

/**
 * Expands a URI template (RFC 6570, level 4). Booleans and numbers are
 * formatted as text. `undefined`, `null`, empty arrays and empty objects are
 * treated as absent. Text outside of expressions is not changed.
 *
 * If `service` is given, the template is a path: `{name}` and `{+name}` must
 * have values, and `{?...}` and `{&...}` expand to empty text, because
 * variables that are not in the path are sent as query parameters.
 *
 * @param lookup returns the value of a variable: text, an array or a plain
 *   object.
 * @throws SyntaxError for an invalid template.
 * @throws TypeError for a value that would change the path, such as `..`.
 * @throws URIError for a lone surrogate.
 */
export function expandTemplate(
  template: string,
  lookup: Lookup,
  service?: Service,
): string {
  const expanded = template.replace(
    /\{([^{}]*)\}|[{}]/g,
    (match, expression: string | undefined) => {
      if (!expression) throw malformed(match);
      if (service && /^\+?[^+#./;?&,*:][^,*:]*$/.test(expression))
        return expandPath(match, lookup, service);
      if (service && /^[?&]/.test(expression)) return "";
      return expandExpression(expression, lookup);
    },
  );
  if (service && (dotSegment.test(expanded) || /[?#]/.test(expanded)))
    throw new TypeError(
      'a path parameter must not contain "?", "#", or a "." or ".." segment',
    );
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
  return new SyntaxError(`${text} is not a valid expression of a URI template`);
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

/**
 * Returns the members of an object, or the elements of an array with their
 * indexes. Omits values that are `null` or `undefined`.
 */
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

/**
 * Matches percent signs that do not begin a percent-encoded triplet, and
 * characters that are neither reserved nor unreserved.
 */
const notReserved = /%(?![\da-f]{2})|[^\w.~:/?#[\]@!$&'()*+,;=%-]+/gi;
