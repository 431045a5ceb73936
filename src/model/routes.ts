import type { Api, Method, PathToken } from "./ir.js";
import { parseTemplate } from "./uri-template.js";

/** A pattern of segments: words, `[^/]+` for any one, `.*` for the rest. */
const SEGMENTS = /^\^(.*)\$$/;
const WORD = /^(?:[\w~@-]|\\[.~@-])+$/;

/**
 * The routes of a method below servicePath, in the form that generated servers
 * read: `{name}` is one segment, `{name=users/*}` and `{name=**}` are several.
 * Where a pattern leaves the number of segments open, the flat path says how
 * many are usual; that route comes first, since it is the one that can be told
 * from others.
 */
export function routesOf({ tokens, flatPath }: Method): string[] {
  const multis = tokens.filter((token) => token.kind === "multi");
  const flat = multis.length === 1 ? flatForm(tokens, flatPath) : undefined;
  const open = templateOf(tokens, flat);
  if (flat === undefined || !open.includes("**")) return [open];
  const [multi] = multis as { readonly pattern?: string }[];
  const fits = matchesForm(flat, patternForm(multi!.pattern));
  return fits ? [...new Set([templateOf(tokens, flat, true), open])] : [open];
}

/** Whether a row of segments is one of those that a form stands for. */
function matchesForm(row: string, form: string | undefined): boolean {
  if (form === undefined || row === form) return true;
  const segments = row.split("/");
  const wanted = form.split("/");
  const last = wanted.length - 1;
  return (
    segments.length >= wanted.length &&
    wanted.every(
      (one, index) =>
        one === segments[index] || (index === last && one === "**"),
    )
  );
}

/**
 * The route of a template. A variable that may hold slashes gets the segments
 * of its pattern; where that says nothing, those of the flat path.
 *
 * @param flat segments of the only such variable in the flat path.
 * @param prefersFlat takes these even where the pattern says something.
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
    .map((text) =>
      text.startsWith("{+") ? "**" : text.replace(/^\{.*\}$/, "*"),
    )
    .join("/");
}

/** Slashes in what stands beside a variable. */
function countSegments(tokens: readonly PathToken[]): number {
  const text = tokens.map((token) => textOf(token, "**")).join("");
  return text.replace(/:[^/:{}]+$/, "").split("/").length - 1;
}

/** Where uploads of a method go, as routes below the root, each once. */
export function uploadRoutes(
  { upload, tokens, path }: Method,
  { servicePath }: Api,
): string[] {
  if (upload === undefined) return [];
  const { simple, resumable } = upload;
  const paths = [simple?.path, resumable?.path].filter(
    (one) => one !== undefined,
  );
  // Official clients go by this rule, whatever the document says.
  const all = [`upload/${servicePath}${path}`, ...paths];
  const routes = all.map((one) =>
    templateOf(
      withPatterns(parseTemplate(one.replace(/^\//, "")).tokens, tokens),
    ),
  );
  return [...new Set(routes)];
}

/** Variables with the patterns that the method's own path has for them. */
function withPatterns(
  tokens: readonly PathToken[],
  own: readonly PathToken[],
): PathToken[] {
  return tokens.map((token) => {
    const twin = own.find(
      (one) => "name" in one && "name" in token && one.name === token.name,
    );
    return twin !== undefined && "name" in twin && twin.pattern !== undefined
      ? ({ ...token, pattern: twin.pattern } as PathToken)
      : token;
  });
}
