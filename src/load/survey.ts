/**
 * Maximum nesting depth of objects and arrays. It exceeds the depth that the
 * API model supports, but is low enough for the recursive document check.
 */
const MAX_DEPTH = 820;

/** Number of keys and nesting depth of a parsed value. */
export interface Survey {
  /** Total number of members of all objects. */
  readonly keys: number;
  /** Nesting depth of objects and arrays. */
  readonly depth: number;
}

type Container = Readonly<Record<string, unknown>> | readonly unknown[];

/** Counts keys and nesting levels without recursion. */
export function survey(root: Container): Survey {
  let keys = 0;
  let depth = 0;
  for (let level: Container[] = [root]; level.length > 0; depth++) {
    const next: Container[] = [];
    for (let index = 0; index < level.length; index++)
      keys += collectChildren(level[index]!, next);
    level = next;
  }
  return { keys, depth };
}

/**
 * Adds a container's child objects and arrays to a list. Returns the number of
 * keys in the container.
 */
function collectChildren(node: Container, next: Container[]): number {
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
 * Replaces objects and arrays that are nested deeper than MAX_DEPTH with empty
 * ones, so that later stages can't overflow the stack. The excessive nesting is
 * reported later, when the API model is built. Changes the parsed value.
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

/**
 * Replaces a member with an empty value. The property is defined instead of
 * assigned, because an assignment to the name `__proto__` would change the
 * prototype.
 */
function empty(owner: object, key: string, child: object): void {
  const value = Array.isArray(child) ? [] : {};
  Object.defineProperty(owner, key, { value, enumerable: true });
}
