/* eslint-disable */
// biome-ignore-all lint: generated

import {
  decode,
  hasDotSegment,
  isDotBeforeVerb,
  isDotSegment,
} from "./percent.js";
import {
  parseTemplate,
  type Capture,
  type RouteItem,
  type RouteTemplate,
} from "./template.js";

/**
 * Node in the tree of routes. The nodes from the root to this node represent
 * the first segment patterns of one or more routes.
 */
interface RouteNode<T> {
  readonly literals: Map<string, RouteNode<T>>;
  /**
   * The only entry of `literals`; undefined if there are several or none. Its
   * text can be compared without creating a substring of the path.
   */
  only: { readonly text: string; readonly node: RouteNode<T> } | undefined;
  /**
   * Segment patterns that combine text and variables, sorted by the length of
   * their literal text, longest first.
   */
  readonly mixed: {
    readonly texts: readonly string[];
    readonly node: RouteNode<T>;
  }[];
  any: RouteNode<T> | undefined;
  rest: RouteNode<T> | undefined;
  /**
   * Routes that end at this node, keyed by custom verb (an empty string for
   * none), then by HTTP method.
   */
  readonly routes: Map<string, Map<string, Route<T>>>;
}

/** Route with the value (target) that was registered for it. */
interface Route<T> {
  readonly template: RouteTemplate;
  readonly target: T;
}

/** Route that matches a path. */
export interface RouteMatch<T> extends Route<T> {
  /**
   * Texts of the variables in `template.captures`, in the same order. They are
   * still percent-encoded.
   */
  readonly values: readonly string[];
}

/**
 * Text of the literal segments with which all routes start, such as
 * `v1/users/`.
 */
interface CommonPrefix<T> {
  readonly text: string;
  readonly node: RouteNode<T>;
  /** End offsets of the segments in `text`. */
  readonly stops: readonly number[];
}

/**
 * Maximum number of segments in a path. Paths of published APIs have at most
 * about twenty segments.
 */
const MAX_SEGMENTS = 512;

/**
 * Router that finds the route for a path in a tree of segment patterns. Order
 * of precedence: literal text, text with variables, one variable segment, any
 * number of segments. A route with a custom verb takes precedence over a route
 * without one. The path is not decoded before it is matched, so that an encoded
 * slash does not separate segments.
 */
export class Router<T> {
  /**
   * Values that were registered for the routes, in the order of registration.
   */
  readonly targets: T[] = [];
  readonly #root: RouteNode<T> = makeNode();
  // State of the match in progress. Matching is synchronous, so one request
  // never observes the state of another one.
  #path = "";
  #httpMethod = "";
  /**
   * For each segment pattern, start and end offset of the text that it matched.
   */
  readonly #starts: number[] = [];
  readonly #stops: number[] = [];
  #allowed: Set<string> | undefined;
  /** True if any route ends with a custom verb. */
  #hasVerbs = false;
  /**
   * Common prefix of all routes. It is computed when the first path is matched.
   */
  #prefix: CommonPrefix<T> | undefined;

  /**
   * Adds a route. If the route conflicts with an existing route, changes
   * nothing and returns the target of the existing route.
   */
  add(route: string, httpMethod: string, target: T): T | undefined {
    this.#prefix = undefined;
    const template = parseTemplate(route);
    const node = template.items.reduce(childOf, this.#root);
    let routes = node.routes.get(template.verb);
    if (routes === undefined)
      node.routes.set(template.verb, (routes = new Map()));
    const taken = routes.get(httpMethod);
    if (taken !== undefined) return taken.target;
    this.#hasVerbs ||= template.verb !== "";
    routes.set(httpMethod, { template, target });
    this.targets.push(target);
    return undefined;
  }

  /**
   * Finds the route for a path, which must not start with a slash. If no route
   * exists for a HEAD request, returns the route for GET.
   */
  find(httpMethod: string, path: string): RouteMatch<T> | undefined {
    this.#httpMethod = httpMethod;
    this.#path = path;
    this.#allowed = undefined;
    const route = this.#match();
    if (route === undefined) return undefined;
    const { template, target } = route;
    const values = template.captures.map((capture) =>
      this.#valueOf(template, capture),
    );
    return { template, target, values };
  }

  /**
   * Returns the HTTP methods that a path supports, in alphabetical order; empty
   * if the path is unknown.
   */
  allowed(path: string): string[] {
    this.#httpMethod = "";
    this.#path = path;
    const allowed = (this.#allowed = new Set<string>());
    this.#match();
    if (allowed.has("GET")) allowed.add("HEAD");
    return [...allowed].sort();
  }

  /** Returns the text of a variable in the matched path. */
  #valueOf({ items }: RouteTemplate, { from, to, piece }: Capture): string {
    const text = this.#path.slice(this.#starts[from]!, this.#stops[to]!);
    const item = items[from]!;
    return piece !== undefined && item.kind === "mixed"
      ? splitVariables(text, item.texts)![piece]!
      : text;
  }

  /** Matches a path, starting after the common prefix of all routes. */
  #match(): Route<T> | undefined {
    const { text, node, stops } = (this.#prefix ??= commonPrefixOf(this.#root));
    if (!this.#path.startsWith(text))
      return this.#matchSegments(this.#root, 0, 0);
    const match = this.#matchSegments(node, text.length, stops.length);
    // The offsets within the prefix are set too, because the value of a
    // variable can start in the prefix.
    for (let depth = 0; depth < stops.length; depth++) {
      this.#starts[depth] = depth === 0 ? 0 : stops[depth - 1]! + 1;
      this.#stops[depth] = stops[depth]!;
    }
    return match;
  }

  #matchSegments(
    node: RouteNode<T>,
    start: number,
    depth: number,
  ): Route<T> | undefined {
    const path = this.#path;
    if (depth > MAX_SEGMENTS || isDotSegment(path, start)) return undefined;
    const slash = path.indexOf("/", start);
    if (slash !== -1) {
      return (
        this.#matchSegment(node, start, slash, slash + 1, depth, "") ??
        (node.rest && this.#matchRest(node.rest, start, depth))
      );
    }
    return this.#matchLast(node, start, depth);
  }

  /** Matches the last segment of the path. It can end with a custom verb. */
  #matchLast(
    node: RouteNode<T>,
    start: number,
    depth: number,
  ): Route<T> | undefined {
    const end = this.#path.length;
    const colon = this.#hasVerbs ? this.#path.lastIndexOf(":") : -1;
    if (colon <= start) {
      return (
        this.#matchSegment(node, start, end, -1, depth, "") ??
        (node.rest && this.#matchRest(node.rest, start, depth))
      );
    }
    if (isDotBeforeVerb(this.#path, start)) return undefined;
    const verb = this.#path.slice(colon + 1);
    return (
      this.#matchLiteral(node, start, end, -1, depth, "") ??
      this.#matchSegment(node, start, colon, -1, depth, verb) ??
      this.#matchVariable(node, start, end, -1, depth, "") ??
      (node.rest && this.#matchRest(node.rest, start, depth))
    );
  }

  #matchSegment(
    node: RouteNode<T>,
    start: number,
    end: number,
    next: number,
    depth: number,
    verb: string,
  ): Route<T> | undefined {
    return (
      this.#matchLiteral(node, start, end, next, depth, verb) ??
      this.#matchVariable(node, start, end, next, depth, verb)
    );
  }

  #matchLiteral(
    node: RouteNode<T>,
    start: number,
    end: number,
    next: number,
    depth: number,
    verb: string,
  ): Route<T> | undefined {
    const { literals, only } = node;
    if (literals.size === 0) return undefined;
    const path = this.#path;
    let child: RouteNode<T> | undefined;
    if (
      only !== undefined &&
      end - start === only.text.length &&
      path.startsWith(only.text, start)
    )
      child = only.node;
    else if (only === undefined || path.includes("%", start))
      child = findLiteral(literals, path.slice(start, end));
    if (child === undefined) return undefined;
    return this.#matchNext(child, start, end, next, depth, verb);
  }

  #matchVariable(
    node: RouteNode<T>,
    start: number,
    end: number,
    next: number,
    depth: number,
    verb: string,
  ): Route<T> | undefined {
    if (end === start) return undefined;
    for (const { texts, node: child } of node.mixed) {
      if (splitVariables(this.#path.slice(start, end), texts) === undefined)
        continue;
      const match = this.#matchNext(child, start, end, next, depth, verb);
      if (match !== undefined) return match;
    }
    return node.any && this.#matchNext(node.any, start, end, next, depth, verb);
  }

  /**
   * Matches the remaining path after a segment pattern has matched. If the
   * remaining path matches too, stores the offsets of the text that the segment
   * pattern matched.
   */
  #matchNext(
    child: RouteNode<T>,
    start: number,
    end: number,
    next: number,
    depth: number,
    verb: string,
  ): Route<T> | undefined {
    const match =
      next === -1
        ? this.#routeAt(child, verb)
        : this.#matchSegments(child, next, depth + 1);
    if (match === undefined) return undefined;
    this.#starts[depth] = start;
    this.#stops[depth] = end;
    return match;
  }

  /**
   * Matches a `**` segment pattern, that is, any number of segments. Prefers
   * the longest match that is followed by literal text of the route, then all
   * remaining segments, then the longest match that is followed by a variable.
   */
  #matchRest(
    child: RouteNode<T>,
    start: number,
    depth: number,
  ): Route<T> | undefined {
    if (hasDotSegment(this.#path, start)) return undefined;
    const hasText = child.literals.size > 0;
    return (
      (hasText ? this.#matchSome(child, start, depth) : undefined) ??
      this.#matchAll(child, start, depth) ??
      (hasText || isLeaf(child)
        ? undefined
        : this.#matchSome(child, start, depth))
    );
  }

  #matchAll(
    child: RouteNode<T>,
    start: number,
    depth: number,
  ): Route<T> | undefined {
    const colon = this.#path.lastIndexOf(":");
    const isVerb = colon > start && this.#path.indexOf("/", colon) === -1;
    const last = this.#path.lastIndexOf("/") + 1;
    if (isVerb && isDotBeforeVerb(this.#path, Math.max(start, last)))
      return undefined;
    const verb = isVerb ? this.#path.slice(colon + 1) : "";
    const match = isVerb
      ? this.#matchNext(child, start, colon, -1, depth, verb)
      : undefined;
    return (
      match ?? this.#matchNext(child, start, this.#path.length, -1, depth, "")
    );
  }

  #matchSome(
    child: RouteNode<T>,
    start: number,
    depth: number,
  ): Route<T> | undefined {
    let slash = this.#path.lastIndexOf("/");
    for (let count = 0; slash >= start && count < MAX_SEGMENTS; count++) {
      const match = this.#matchNext(child, start, slash, slash + 1, depth, "");
      if (match !== undefined) return match;
      slash = slash === 0 ? -1 : this.#path.lastIndexOf("/", slash - 1);
    }
    return undefined;
  }

  #routeAt(node: RouteNode<T>, verb: string): Route<T> | undefined {
    const routes = node.routes.get(verb);
    if (routes === undefined) return undefined;
    for (const name of this.#allowed === undefined ? [] : routes.keys())
      this.#allowed!.add(name);
    return (
      routes.get(this.#httpMethod) ??
      (this.#httpMethod === "HEAD" ? routes.get("GET") : undefined)
    );
  }
}

function commonPrefixOf<T>(root: RouteNode<T>): CommonPrefix<T> {
  let text = "";
  let node = root;
  const stops: number[] = [];
  while (node.only !== undefined && !isFork(node)) {
    stops.push(text.length + node.only.text.length);
    text += `${node.only.text}/`;
    node = node.only.node;
  }
  return { text, node, stops };
}

/**
 * Tests whether the common prefix of all routes ends at a node: a route ends
 * there, or not all routes continue with the same literal segment.
 */
function isFork<T>({
  literals,
  mixed,
  any,
  rest,
  routes,
}: RouteNode<T>): boolean {
  const others = mixed.length + routes.size + literals.size - 1;
  return others > 0 || (any ?? rest) !== undefined;
}

function findLiteral<T>(
  literals: ReadonlyMap<string, RouteNode<T>>,
  text: string,
): RouteNode<T> | undefined {
  const child = literals.get(text);
  if (child !== undefined || !text.includes("%")) return child;
  return literals.get(decode(text) ?? text);
}

function makeNode<T>(): RouteNode<T> {
  return {
    literals: new Map(),
    only: undefined,
    mixed: [],
    any: undefined,
    rest: undefined,
    routes: new Map(),
  };
}

function isLeaf<T>({ literals, mixed, any, rest }: RouteNode<T>): boolean {
  return literals.size + mixed.length === 0 && (any ?? rest) === undefined;
}

function childOf<T>(node: RouteNode<T>, item: RouteItem): RouteNode<T> {
  switch (item.kind) {
    case "any":
      return (node.any ??= makeNode());
    case "rest":
      return (node.rest ??= makeNode());
    case "mixed":
      return mixedChild(node, item.texts);
    case "literal": {
      const text = decode(item.text) ?? item.text;
      let child = node.literals.get(text);
      if (child !== undefined) return child;
      node.literals.set(text, (child = makeNode()));
      node.only = node.literals.size === 1 ? { text, node: child } : undefined;
      return child;
    }
  }
}

function mixedChild<T>(
  node: RouteNode<T>,
  texts: readonly string[],
): RouteNode<T> {
  const key = texts.join("\0");
  const known = node.mixed.find((one) => one.texts.join("\0") === key);
  if (known !== undefined) return known.node;
  const child = makeNode<T>();
  node.mixed.push({ texts, node: child });
  node.mixed.sort((a, b) => b.texts.join("").length - a.texts.join("").length);
  return child;
}

/**
 * Returns the values of the variables between the literal texts of a segment
 * pattern. Each value has at least one character. Returns undefined if the
 * segment does not match.
 */
function splitVariables(
  segment: string,
  texts: readonly string[],
): string[] | undefined {
  const last = texts.length - 1;
  if (!segment.startsWith(texts[0]!)) return undefined;
  const values: string[] = [];
  let start = texts[0]!.length;
  for (let index = 1; index <= last; index++) {
    const text = texts[index]!;
    const end =
      index === last && segment.endsWith(text)
        ? segment.length - text.length
        : segment.indexOf(text, start + 1);
    if (end <= start) return undefined;
    values.push(segment.slice(start, end));
    start = end + text.length;
  }
  return start === segment.length ? values : undefined;
}
