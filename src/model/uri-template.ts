import type { PathToken } from "./ir.js";

/** Parsed URI template. */
export interface Template {
  /** Template in which braces outside of expressions are percent-encoded. */
  readonly text: string;
  readonly tokens: readonly PathToken[];
}

const EXPRESSION = /\{([^{}]*)\}/g;
const VARSPEC = /^([^*:]+)(\*|:\d+)?$/;
const VERB = /^([^/]*):([^/:{}]+)$/;

/**
 * Parses an RFC 6570 template into literals, variables and a final custom verb.
 * Invalid expressions become literals; spaces in expressions are removed.
 */
export function parseTemplate(template: string): Template {
  const tokens: PathToken[] = [];
  let text = "";
  let literal = "";
  let end = 0;
  for (const match of template.matchAll(EXPRESSION)) {
    const expression = match[1]!.replace(/\s+/g, "");
    const variables = parseExpression(expression);
    literal += encodeBraces(template.slice(end, match.index));
    end = match.index + match[0].length;
    if (variables.length === 0) {
      literal += encodeBraces(match[0]);
      continue;
    }
    pushLiteral(tokens, literal);
    tokens.push(...variables);
    text += `${literal}{${expression}}`;
    literal = "";
  }
  literal += encodeBraces(template.slice(end));
  pushTail(tokens, literal);
  return { text: text + literal, tokens };
}

function encodeBraces(text: string): string {
  return text.replace(/\{/g, "%7B").replace(/\}/g, "%7D");
}

function pushLiteral(tokens: PathToken[], text: string): void {
  if (text !== "") tokens.push({ kind: "literal", text });
}

/**
 * Adds the final literal of a template. A custom verb such as `:cancel` becomes
 * a separate token.
 */
function pushTail(tokens: PathToken[], text: string): void {
  const verb = VERB.exec(text);
  if (verb === null) return pushLiteral(tokens, text);
  pushLiteral(tokens, verb[1]!);
  tokens.push({ kind: "verb", text: verb[2]! });
}

function parseExpression(expression: string): PathToken[] {
  const operator = /^[+#./;?&]/.exec(expression)?.[0];
  const specs = (
    operator === undefined ? expression : expression.slice(1)
  ).split(",");
  const variables: PathToken[] = [];
  for (const spec of specs) {
    const match = VARSPEC.exec(spec);
    if (match === null) return [];
    variables.push(variable(match[1]!, match[2], operator));
  }
  return variables;
}

function variable(
  name: string,
  modifier: string | undefined,
  operator: string | undefined,
): PathToken {
  const isMulti = operator === "+" || operator === "#";
  return {
    kind: isMulti ? "multi" : "variable",
    name,
    ...(operator === undefined || operator === "+" ? {} : { operator }),
    ...(modifier === "*" ? { explode: true } : {}),
    ...(modifier?.startsWith(":") ? { prefix: Number(modifier.slice(1)) } : {}),
  };
}

/**
 * Returns the names of the variables in the path and in the query string, in
 * order and without duplicates.
 */
export function variablesOf(tokens: readonly PathToken[]): {
  readonly path: readonly string[];
  readonly query: readonly string[];
} {
  const path = new Set<string>();
  const query = new Set<string>();
  for (const token of tokens) {
    if (!("name" in token)) continue;
    const isQuery = token.operator === "?" || token.operator === "&";
    (isQuery ? query : path).add(token.name);
  }
  return {
    path: [...path],
    query: [...query].filter((name) => !path.has(name)),
  };
}

/** Pattern that matches an expression other than `{v}` and `{+v}`. */
const NOT_SIMPLE = /\{(?!\+?[^+#./;?&,*:{}][^,*:{}]*\})[^{}]*\}/;

/** Tests whether a template uses expressions other than `{v}` and `{+v}`. */
export function needsFullExpansion(template: string): boolean {
  return NOT_SIMPLE.test(template);
}

export function renameVariables(
  template: string,
  names: ReadonlyMap<string, string>,
): string {
  return template.replace(EXPRESSION, (_, expression: string) => {
    const [, operator = "", list = ""] = /^([+#./;?&]?)(.*)$/s.exec(
      expression,
    )!;
    const specs = list.split(",").map((spec) => {
      const name = VARSPEC.exec(spec)?.[1] ?? spec;
      return (names.get(name) ?? name) + spec.slice(name.length);
    });
    return `{${operator}${specs.join(",")}}`;
  });
}
