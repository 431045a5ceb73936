/**
 * Levels of objects and arrays that are kept: far more than the model follows,
 * and few enough for the checker's stack.
 */
const MAX_DEPTH = 820;

/** What one walk over a parsed value tells. */
export interface Survey {
  /** Members of all objects. */
  readonly keys: number;
  /** Levels of objects and arrays. */
  readonly depth: number;
}

type Container = Readonly<Record<string, unknown>> | readonly unknown[];

/** Counts keys and levels, level by level, so that no depth is too deep. */
export function survey(root: Container): Survey {
  let keys = 0;
  let depth = 0;
  for (let level: Container[] = [root]; level.length > 0; depth++) {
    const next: Container[] = [];
    for (const node of level) keys += visit(node, next);
    level = next;
  }
  return { keys, depth };
}

/** Collects the containers in a container; the number of its keys. */
function visit(node: Container, next: Container[]): number {
  let keys = 0;
  if (Array.isArray(node)) {
    for (const child of node as readonly unknown[])
      if (typeof child === "object" && child !== null)
        next.push(child as Container);
    return 0;
  }
  const members = node as Readonly<Record<string, unknown>>;
  for (const key in members) {
    keys++;
    const child = members[key];
    if (typeof child === "object" && child !== null)
      next.push(child as Container);
  }
  return keys;
}

/**
 * Replaces what lies deeper than MAX_DEPTH by {}, so that no later stage runs
 * out of stack; the model says where it stopped following. Works on the parsed
 * value in place.
 */
export function cutOff(root: Container, depth: number): void {
  if (depth <= MAX_DEPTH) return;
  const stack = [{ node: root as object, depth: 1 }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    for (const [key, child] of Object.entries(top.node)) {
      if (typeof child !== "object" || child === null) continue;
      if (top.depth < MAX_DEPTH)
        stack.push({ node: child as object, depth: top.depth + 1 });
      else empty(top.node, key, child as object);
    }
  }
}

/** Defined, not assigned: the key may be __proto__. */
function empty(owner: object, key: string, child: object): void {
  const value = Array.isArray(child) ? [] : {};
  Object.defineProperty(owner, key, { value, enumerable: true });
}
