import type { Api, Method, PathToken } from "./ir.js";
import { parseTemplate } from "./uri-template.js";

/**
 * Regular expressions for the `pattern` of a path variable. `SEGMENTS` captures
 * the segments of a pattern that begins with `^` and ends with `$`; `WORD`
 * matches a literal segment. In such a pattern, `[^/]+` matches one segment and
 * `.*` matches all remaining segments.
 */
const SEGMENTS = /^\^(.*)\$$/;
const WORD = /^(?:[\w~@-]|\\[.~@-])+$/;

/**
 * Returns the routes of a method relative to servicePath, in the syntax of
 * generated servers: `{name}` matches one segment; `{name=users/*}` and
 * `{name=**}` match several. If the pattern of a variable does not determine
 * the number of segments, the first route contains the segments of `flatPath`,
 * because such a route conflicts with fewer other routes.
 */
export function routesOf({ tokens, flatPath }: Method): string[] {
  const multis = tokens.filter((token) => token.kind === "multi");
  const flat =
    multis.length === 1 ? wildcards(flatForm(tokens, flatPath)) : undefined;
  const open = templateOf(tokens, flat);
  if (flat === undefined || !open.includes("**")) return [open];
  const [multi] = multis as { readonly pattern?: string }[];
  const isMatch = matchesForm(flat, patternForm(multi!.pattern));
  return isMatch
    ? [...new Set([templateOf(tokens, flat, true), open])]
    : [open];
}

/**
 * Tests whether a flat path, in which `*` and `**` replace the variables,
 * matches segments such as `users/*`. Only the last of these segments can be
 * `**`.
 */
function matchesForm(path: string, form: string | undefined): boolean {
  if (form === undefined || path === form) return true;
  const segments = path.split("/");
  const expected = form.split("/");
  const last = expected.length - 1;
  return (
    segments.length >= expected.length &&
    expected.every(
      (segment, index) =>
        segment === segments[index] || (index === last && segment === "**"),
    )
  );
}

/**
 * Returns the route of a path template. A variable that can contain slashes is
 * replaced with the segments of its pattern. If the pattern does not determine
 * the segments, the segments of the flat path are used.
 * @param flat segments of the flat path for the variable that can contain
 *   slashes, if there is exactly one
 * @param prefersFlat true to use `flat` even if the pattern determines the
 *   segments
 */
export function templateOf(
  tokens: readonly PathToken[],
  flat?: string,
  prefersFlat: boolean = false,
): string {
  return tokens.map((token) => textOf(token, flat, prefersFlat)).join("");
}

function textOf(
  token: PathToken,
  flat: string | undefined,
  prefersFlat: boolean = false,
): string {
  switch (token.kind) {
    case "literal":
      return token.text.replace(/[?#].*$/s, "");
    case "verb":
      return `:${token.text}`;
    case "multi":
      return `{${token.name}=${formOf(token.pattern, flat, prefersFlat)}}`;
    case "variable":
      return variableText(token);
  }
}

function formOf(
  pattern: string | undefined,
  flat: string | undefined,
  prefersFlat: boolean,
): string {
  const form = patternForm(pattern);
  return (prefersFlat ? (flat ?? form) : (form ?? flat)) ?? "**";
}

/**
 * Returns the part of a route that represents a variable. Query operators (`?`,
 * `&`) are not part of a route.
 */
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

/**
 * Converts a pattern such as `^users/[^/]+$` to `users/*`. Returns undefined
 * for a pattern that is not a sequence of segments.
 */
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

/** Replaces the variables in a flat path with `*` and `**`. */
function wildcards(form: string | undefined): string | undefined {
  return form
    ?.split("/")
    .map((text) =>
      text.startsWith("{+") ? "**" : text.replace(/^\{.*\}$/, "*"),
    )
    .join("/");
}

/**
 * Returns the segments of the flat path that correspond to the only variable of
 * the path that can contain slashes.
 */
export function flatForm(
  tokens: readonly PathToken[],
  flatPath: string | undefined,
): string | undefined {
  if (flatPath === undefined) return undefined;
  const at = tokens.findIndex(({ kind }) => kind === "multi");
  const before = countSegments(tokens.slice(0, at));
  const after = countSegments(tokens.slice(at + 1));
  const segments = flatPath.replace(/:[^/:{}]+$/, "").split("/");
  const variable = segments.slice(before, segments.length - after);
  return variable.length === 0 ? undefined : variable.join("/");
}

/** Counts the slashes in the text of path tokens. */
function countSegments(tokens: readonly PathToken[]): number {
  const text = tokens.map((token) => textOf(token, "**")).join("");
  return text.replace(/:[^/:{}]+$/, "").split("/").length - 1;
}

/**
 * Returns the upload routes of a method relative to rootUrl, without
 * duplicates.
 */
export function uploadRoutes(
  { upload, tokens, path }: Method,
  { servicePath }: Api,
): string[] {
  if (upload === undefined) return [];
  const { simple, resumable } = upload;
  const paths = [simple?.path, resumable?.path].filter(
    (uploadPath) => uploadPath !== undefined,
  );
  // Google's official clients use the first path, even if the document declares
  // another one.
  const templates = [`upload/${servicePath}${path}`, ...paths];
  const routes = templates.map((template) =>
    templateOf(
      withPatterns(parseTemplate(template.replace(/^\//, "")).tokens, tokens),
    ),
  );
  return [...new Set(routes)];
}

/**
 * Copies the patterns of the variables in the method's path to the variables of
 * the same names in an upload path.
 */
function withPatterns(
  tokens: readonly PathToken[],
  methodTokens: readonly PathToken[],
): PathToken[] {
  return tokens.map((token) => {
    const original = methodTokens.find(
      (candidate) =>
        "name" in candidate && "name" in token && candidate.name === token.name,
    );
    return original !== undefined &&
      "name" in original &&
      original.pattern !== undefined
      ? ({ ...token, pattern: original.pattern } as PathToken)
      : token;
  });
}
