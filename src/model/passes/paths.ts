import type { PathToken } from "../ir.js";

/** A URI template taken apart. */
export interface Template {
  readonly tokens: readonly PathToken[];
  /** False where braces don't match or an expression is empty. */
  readonly valid: boolean;
}

const EXPRESSION = /\{([^{}]*)\}/g;
const VARSPEC = /^([^*:]+)(\*|:\d+)?$/;
const VERB = /^([^/]*):([^/:{}]+)$/;

/**
 * Takes an RFC 6570 template apart into literals, variables and a final
 * `:verb`. An expression that can't be read stays a literal.
 */
export function parseTemplate(template: string): Template {
  const tokens: PathToken[] = [];
  let valid = true;
  let end = 0;
  for (const match of template.matchAll(EXPRESSION)) {
    pushLiteral(tokens, template.slice(end, match.index));
    const variables = parseExpression(match[1]!);
    if (variables.length === 0) {
      valid = false;
      pushLiteral(tokens, match[0]);
    }
    tokens.push(...variables);
    end = match.index + match[0].length;
  }
  pushTail(tokens, template.slice(end));
  const hasStrayBrace = tokens.some(
    (token) => "text" in token && /[{}]/.test(token.text),
  );
  return { tokens, valid: valid && !hasStrayBrace };
}

function pushLiteral(tokens: PathToken[], text: string): void {
  if (text !== "") tokens.push({ kind: "literal", text });
}

/** The last literal, with a custom verb such as `:cancel` kept apart. */
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
    const match = VARSPEC.exec(spec.trim());
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

/** Names of the variables, each once, in order. */
export function variablesOf(tokens: readonly PathToken[]): string[] {
  return [
    ...new Set(
      tokens.flatMap((token) => ("name" in token ? [token.name] : [])),
    ),
  ];
}

/** Whether a template needs more than `{v}` and `{+v}` expansion. */
export function needsFullExpansion(tokens: readonly PathToken[]): boolean {
  return tokens.some(
    (token) =>
      "name" in token &&
      (token.operator !== undefined ||
        token.explode === true ||
        token.prefix !== undefined),
  );
}
