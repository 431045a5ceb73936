import type { Method, PathToken } from "../../model/ir.js";
import { flatForm, patternForm } from "../../model/routes.js";

/**
 * One of the path segments that replace a path variable whose value contains
 * slashes. Such a variable must be split, because OpenAPI does not allow
 * slashes in the value of a path variable.
 */
export type Segment =
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
export function expansionsOf({
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
