import type { Api, Method, PathToken } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";
import { flatForm, patternForm } from "../../model/routes.js";
import { parseTemplate } from "../../model/uri-template.js";

/** Variable of an OpenAPI path. */
export interface PathVariable {
  /** Name of the variable, which is unique in the path. */
  readonly name: string;
  /** Name of the parameter in the document. */
  readonly parameter: string;
  /**
   * True if the variable is only one of the path segments that form the value
   * of the parameter.
   */
  readonly isPart: boolean;
  /** True if the value can contain slashes, which OpenAPI does not support. */
  readonly isOpen: boolean;
  /** Regular expression for the segment, without anchors. */
  readonly pattern?: string;
  readonly style: "simple" | "label" | "matrix";
  readonly explode: boolean;
  /** Number of characters to which the value is truncated in the path. */
  readonly prefix?: number;
}

/** Path of an operation, as a sequence of literals and variables. */
export interface PathTemplate {
  readonly parts: readonly (string | PathVariable)[];
  /**
   * Map from the name of a parameter to the literals and variables that form
   * its value, for parameters whose value consists of several segments.
   */
  readonly values: ReadonlyMap<string, readonly (string | PathVariable)[]>;
  /**
   * Text that starts with `?` or `#` and was removed from the path, because
   * OpenAPI paths can't contain it.
   */
  readonly dropped?: string;
}

/** Returns the path of a method, relative to rootUrl. */
export function methodPath(method: Method, { servicePath }: Api): PathTemplate {
  const { path, tokens } = method;
  const start = path.startsWith("/") ? "" : `/${servicePath}`;
  return templateOf(start, tokens, method);
}

/**
 * Returns the path of a method's uploads, relative to the origin of rootUrl.
 */
export function uploadPath(method: Method): PathTemplate | undefined {
  const { simple, resumable } = method.upload ?? {};
  const path = simple?.path ?? resumable?.path;
  if (path === undefined) return undefined;
  const start = path.startsWith("/") ? "" : "/";
  return templateOf(start, parseTemplate(path).tokens, method);
}

function templateOf(
  start: string,
  tokens: readonly PathToken[],
  method: Method,
): PathTemplate {
  const expansions = expansionsOf(method);
  const scope = new NameScope(Object.getOwnPropertyNames(Object.prototype));
  const parts: (string | PathVariable)[] = [literal(start)];
  const values = new Map<string, readonly (string | PathVariable)[]>();
  let dropped = "";
  for (const token of tokens) {
    if (dropped !== "") dropped += sourceOf(token);
    else if (token.kind === "verb") parts.push(`:${literal(token.text)}`);
    else if (token.kind === "literal") {
      const [, kept = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(token.text)!;
      parts.push(literal(kept));
      dropped = rest;
    } else if (token.operator === "#") dropped = sourceOf(token);
    else {
      const added = variableParts(token, expansions, scope);
      const isValue = added.length === 1 && typeof added[0] !== "string";
      if (token.kind === "multi" && !isValue) values.set(token.name, added);
      parts.push(...added);
    }
  }
  return { parts, values, ...(dropped === "" ? {} : { dropped }) };
}

/**
 * Percent-encodes braces, `?` and `#` in literal text of a path. Unencoded
 * braces would delimit a variable.
 */
function literal(text: string): string {
  return text.replace(/[{}?#]/g, (sign) => encodeURIComponent(sign));
}

function sourceOf(token: PathToken): string {
  if (token.kind === "literal") return token.text;
  if (token.kind === "verb") return `:${token.text}`;
  const { name, operator } = token;
  return `{${operator ?? (token.kind === "multi" ? "+" : "")}${name}}`;
}

type Variable = Extract<PathToken, { kind: "variable" | "multi" }>;

function variableParts(
  token: Variable,
  expansions: ReadonlyMap<string, readonly Segment[]>,
  scope: NameScope,
): (string | PathVariable)[] {
  const { name, operator, prefix, explode = false } = token;
  if (operator === "?" || operator === "&") return [];
  const segments = token.kind === "multi" ? expansions.get(name) : undefined;
  if (segments !== undefined)
    return segments.flatMap((segment, index) => [
      ...(index === 0 ? [] : ["/"]),
      segmentPart(segment, name, segments.length > 1, scope),
    ]);
  const isOpen = token.kind === "multi" || (operator === "/" && explode);
  const variable: PathVariable = {
    name: scope.reserve(safeName(name)),
    parameter: name,
    isPart: false,
    isOpen,
    style: operator === "." ? "label" : operator === ";" ? "matrix" : "simple",
    explode: explode && operator !== "/",
    ...(prefix === undefined ? {} : { prefix }),
  };
  return operator === "/" ? ["/", variable] : [variable];
}

function segmentPart(
  segment: Segment,
  parameter: string,
  isPart: boolean,
  scope: NameScope,
): string | PathVariable {
  if ("literal" in segment) return literal(segment.literal);
  const { variable, ...rest } = segment;
  const name = scope.reserve(safeName(variable));
  const style = "simple";
  return { ...rest, name, parameter, isPart, style, explode: false };
}

/** Converts a name to a valid name for a path variable. */
function safeName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9._$-]/g, "_").slice(0, 200);
  return safe === "" ? "_" : safe;
}

/**
 * Returns a key for a path. OpenAPI considers paths with equal keys identical.
 */
export function structureOf(template: PathTemplate): string {
  return printPath(template, () => "");
}

/**
 * Prints a path.
 * @param nameOf returns the name of a variable; `index` is the position of the
 *   variable in the path
 */
export function printPath(
  { parts }: Pick<PathTemplate, "parts">,
  nameOf: (variable: PathVariable, index: number) => string,
): string {
  let index = 0;
  const text = parts
    .map((part) =>
      typeof part === "string" ? part : `{${nameOf(part, index++)}}`,
    )
    .join("");
  return text.replace(/^\/{2,}/, "/");
}

/** Returns the variables of a path, in order. */
export function variablesIn({ parts }: PathTemplate): PathVariable[] {
  return parts.filter((part) => typeof part !== "string");
}

/**
 * One of the path segments that replace a path variable whose value contains
 * slashes. Such a variable must be split, because OpenAPI does not allow
 * slashes in the value of a path variable.
 */
type Segment =
  | { readonly literal: string }
  | {
      readonly variable: string;
      /** Regular expression for the segment, without anchors. */
      readonly pattern?: string;
      /** True if the value can contain slashes. */
      readonly isOpen: boolean;
    };

type Multi = Extract<PathToken, { kind: "variable" | "multi" }>;

/**
 * Returns a map from the name of each `{+name}` variable of a method to the
 * path segments that replace the variable. The segments are needed because
 * variables of OpenAPI paths can't contain slashes. Variables in the segments
 * have the names from the flat path or, if no flat path is declared, names
 * derived from the preceding literal segments.
 */
function expansionsOf({
  tokens,
  flatPath,
}: Method): ReadonlyMap<string, readonly Segment[]> {
  const multis = tokens.filter(
    (token): token is Multi => token.kind === "multi" && isPlain(token),
  );
  const flat = multis.length === 1 ? flatForm(tokens, flatPath) : undefined;
  return new Map(
    multis.map((multi) => [multi.name, segmentsOf(multi, flat?.split("/"))]),
  );
}

/** Tests whether a variable has no operator, no `*` and no length limit. */
function isPlain({ operator, explode, prefix }: Multi): boolean {
  return operator === undefined && explode !== true && prefix === undefined;
}

function segmentsOf(
  { name, pattern }: Multi,
  flat: readonly string[] | undefined,
): readonly Segment[] {
  const form = patternForm(pattern)?.split("/");
  const texts = flat ?? form?.map((text) => textOf(text)) ?? [`{+${name}}`];
  const patterns = patternsOf(pattern, texts.length);
  const isOpen = form?.at(-1) === "**";
  const segments: Segment[] = [];
  for (const [index, text] of texts.entries()) {
    const isLast = index === texts.length - 1;
    const variable = /^\{(\+?)([^{}]*)\}$/.exec(text);
    if (variable === null) {
      if (/[{}]/.test(text)) return [{ variable: name, isOpen: true }];
      segments.push({ literal: text });
      continue;
    }
    const declared = variable[2]!;
    const found = patterns?.[index];
    segments.push({
      variable: declared === "" ? nameAfter(segments, name) : declared,
      ...(found === undefined ? {} : { pattern: found }),
      isOpen: variable[1] === "+" || (isLast && isOpen),
    });
  }
  return segments;
}

/**
 * Converts a segment of a pattern to the syntax of flat paths, without variable
 * names.
 */
function textOf(text: string): string {
  if (text === "**") return "{+}";
  return text === "*" ? "{}" : text;
}

/**
 * Returns a variable name derived from the preceding literal segment, such as
 * `projectsId` after `projects`.
 */
function nameAfter(segments: readonly Segment[], name: string): string {
  const last = segments.at(-1);
  return last !== undefined && "literal" in last ? `${last.literal}Id` : name;
}

/**
 * Splits the pattern of a variable into one pattern for each segment. Returns
 * undefined if the pattern does not consist of `count` segments.
 */
function patternsOf(
  pattern: string | undefined,
  count: number,
): readonly string[] | undefined {
  const inner = /^\^(.*)\$$/.exec(pattern ?? "")?.[1];
  const parts = inner?.replaceAll("[^/]", "\0").split("/");
  return parts?.length === count && !/[()|]/.test(inner!)
    ? parts.map((part) => part.replaceAll("\0", "[^/]"))
    : undefined;
}
