import type { Api, Method, PathToken } from "../ir.js";

/** A pattern of segments: words, `[^/]+` for any one, `.*` for the rest. */
const SEGMENTS = /^\^(.*)\$$/;
const WORD = /^(?:[\w~@-]|\\[.~@-])+$/;

/**
 * The route of a method below servicePath, in the form that generated servers
 * read: `{name}` is one segment, `{name=users/*}` and `{name=**}` are several.
 */
export function routeOf(method: Method): string {
  return templateOf(method.tokens, method.flatPath);
}

/**
 * The route of a template. A variable that may hold slashes gets the segments
 * of its pattern; where that says nothing, those of the flat path.
 */
export function templateOf(
  tokens: readonly PathToken[],
  flatPath: string | undefined,
): string {
  const multis = tokens.filter((token) => token.kind === "multi");
  const flat = multis.length === 1 ? flatForm(tokens, flatPath) : undefined;
  return tokens.map((token) => textOf(token, flat)).join("");
}

function textOf(token: PathToken, flat: string | undefined): string {
  switch (token.kind) {
    case "literal":
      return token.text.replace(/[?#].*$/s, "");
    case "verb":
      return `:${token.text}`;
    case "multi":
      return `{${token.name}=${patternForm(token.pattern) ?? flat ?? "**"}}`;
    case "variable":
      return variableText(token);
  }
}

/** RFC 6570's operators beyond those that descriptions use, as far as a path shows them. */
function variableText({
  name,
  operator,
  explode,
}: Extract<PathToken, { name: string }>): string {
  if (operator === "?" || operator === "&") return "";
  if (operator === "/")
    return explode === true ? `/{${name}=**}` : `/{${name}}`;
  if (operator === ".") return `.{${name}}`;
  return operator === ";" ? `;${name}={${name}}` : `{${name}}`;
}

/** `users/*` of `^users/[^/]+$`; undefined for a pattern that is no row of segments. */
export function patternForm(pattern: string | undefined): string | undefined {
  const inner = SEGMENTS.exec(pattern ?? "")?.[1];
  if (inner === undefined) return undefined;
  const parts = inner.replaceAll("[^/]", "\0").split("/");
  const forms = parts.map((part, index) => {
    if (part === "\0+") return "*";
    if (part === ".*" || part === ".+")
      return index === parts.length - 1 ? "**" : undefined;
    return WORD.test(part) ? part.replaceAll("\\", "") : undefined;
  });
  return forms.includes(undefined) ? undefined : forms.join("/");
}

/** What the flat path has in the place of the only variable with slashes. */
function flatForm(
  tokens: readonly PathToken[],
  flatPath: string | undefined,
): string | undefined {
  if (flatPath === undefined) return undefined;
  const at = tokens.findIndex(({ kind }) => kind === "multi");
  const before = countSegments(tokens.slice(0, at));
  const after = countSegments(tokens.slice(at + 1));
  const segments = flatPath.replace(/:[^/:{}]+$/, "").split("/");
  const own = segments.slice(before, segments.length - after);
  if (own.length === 0) return undefined;
  return own
    .map((text) => (/^\{\+/.test(text) ? "**" : text.replace(/^\{.*\}$/, "*")))
    .join("/");
}

/** Slashes in what stands beside a variable. */
function countSegments(tokens: readonly PathToken[]): number {
  const text = tokens.map((token) => textOf(token, "**")).join("");
  return text.replace(/:[^/:{}]+$/, "").split("/").length - 1;
}

/** Where uploads of a method go, as routes below the root, each once. */
export function uploadRoutes(
  method: Method,
  api: Api,
  parse: (template: string) => readonly PathToken[],
): string[] {
  const { simple, resumable } = method.upload!;
  const patterns = new Map(
    method.tokens.flatMap((token) =>
      "name" in token ? [[token.name, token.pattern] as const] : [],
    ),
  );
  const paths = [
    `upload/${api.servicePath}${method.path}`,
    ...[simple, resumable].flatMap((one) =>
      one === undefined ? [] : [one.path],
    ),
  ];
  const routes = paths.map((path) =>
    templateOf(
      parse(path.replace(/^\//, "")).map((token) => {
        const pattern = "name" in token ? patterns.get(token.name) : undefined;
        return pattern === undefined ? token : { ...token, pattern };
      }) as PathToken[],
      undefined,
    ),
  );
  return [...new Set(routes)];
}
