import { isBlank, isNothing, type ScalarNode } from "../document/tree.js";
import { knowledge } from "../schema/property-index.js";
import type { When } from "../schema/table.js";
import { join, type Context, type Found } from "./context.js";
import { isPlaceholder } from "./values.js";

/** A single value that is there and filled in; by path. */
export function scalarAt(
  context: Context,
  path: string,
): (Found & { readonly node: ScalarNode }) | undefined {
  const found = context.found.get(path);
  if (found?.node.kind !== "scalar" || !hasValue(found)) return undefined;
  if (isPlaceholder(found.node, found.property)) return undefined;
  return { ...found, node: found.node };
}

/** Whether values beside a rule switch it on; what the file leaves out counts as its default. */
export function holds(context: Context, owner: Found, when: When): boolean {
  return Object.entries(when).every(([key, wanted]) => {
    const found = context.found.get(join(owner.path, key));
    if (wanted === "*") return found !== undefined;
    const { row } = knowledge().byPath.get(join(owner.property.row.path, key))!;
    const actual =
      found?.node.kind === "scalar" && !isNothing(found.node)
        ? String(found.node.value)
        : row.default;
    return actual === String(wanted);
  });
}

/** Whether a property has a value; empty text is none. */
export function hasValue(found: Found | undefined): boolean {
  return found !== undefined && !isNothing(found.node) && !isBlank(found.node);
}

/** Notes that a property is required, if it or a block around it has no value. */
export function requireValue(
  context: Context,
  owner: Found,
  relative: string,
): void {
  const keys = relative.split(".");
  for (let length = keys.length; length > 0; length--) {
    const path = join(owner.path, keys.slice(0, length).join("."));
    const found = context.found.get(path);
    if (found !== undefined && !hasValue(found)) context.requireValue(path);
  }
}
