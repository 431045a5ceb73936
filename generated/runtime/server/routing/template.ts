/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Segment pattern: the part of a route template between two slashes. It matches
 * literal text, one variable segment, any number of segments, or text combined
 * with variables.
 */
export type RouteItem =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "any" }
  | { readonly kind: "rest" }
  /**
   * Literal texts between the variables; the first and last text can be empty.
   */
  | { readonly kind: "mixed"; readonly texts: readonly string[] };

/**
 * Variable of a route, and the indices of the first and last segment pattern
 * that match its value.
 */
export interface Capture {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Index of the variable within a segment pattern of the kind `mixed`. */
  readonly piece?: number;
  /** True if the value can contain slashes. */
  readonly isMulti: boolean;
}

/** Parsed route template. */
export interface RouteTemplate {
  readonly items: readonly RouteItem[];
  readonly captures: readonly Capture[];
  /** Custom verb after the last colon; empty if there is none. */
  readonly verb: string;
}

const VERB = /:([^/:{}]+)$/;
const VARIABLE = /\{([^{}=]+)(?:=([^{}]+))?\}/g;

/**
 * Parses a route template. `{name}` matches one segment. `{name=users/*}`
 * matches segments of this form; `*` is one segment and `**` is any number of
 * segments. `:verb` at the end is a custom verb. All other text is literal.
 */
export function parseTemplate(route: string): RouteTemplate {
  const verb = VERB.exec(route)?.[1] ?? "";
  const path = verb === "" ? route : route.slice(0, -verb.length - 1);
  const items: RouteItem[] = [];
  const captures: Capture[] = [];
  for (const segment of segmentsOf(path)) addSegment(segment, items, captures);
  return { items, captures, verb };
}

/** Splits a path at slashes outside of braces, in a single pass. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  let end = path.length;
  let isWithin = false;
  for (let at = path.length - 1; at >= 0; at--) {
    const character = path[at];
    if (character === "}" || character === "{") isWithin = character === "}";
    if (character !== "/" || isWithin) continue;
    segments.push(path.slice(at + 1, end));
    end = at;
  }
  segments.push(path.slice(0, end));
  return segments.reverse();
}

function addSegment(
  segment: string,
  items: RouteItem[],
  captures: Capture[],
): void {
  const variables = [...segment.matchAll(VARIABLE)];
  const [first] = variables;
  if (first === undefined) {
    items.push({ kind: "literal", text: segment });
  } else if (first[0] === segment) {
    addVariable(first[1]!, first[2], items, captures);
  } else {
    const from = items.length;
    for (const [piece, [, name]] of variables.entries())
      captures.push({ name: name!, from, to: from, piece, isMulti: false });
    items.push({ kind: "mixed", texts: segment.split(/\{[^{}]*\}/) });
  }
}

function addVariable(
  name: string,
  form: string | undefined,
  items: RouteItem[],
  captures: Capture[],
): void {
  const from = items.length;
  items.push(...(form ?? "*").split("/").map(itemOf));
  const isMulti = form !== undefined;
  captures.push({ name, from, to: items.length - 1, isMulti });
}

function itemOf(text: string): RouteItem {
  if (text === "*") return { kind: "any" };
  return text === "**" ? { kind: "rest" } : { kind: "literal", text };
}
