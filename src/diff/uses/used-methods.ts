import type { Method } from "../../model/ir.js";
import type { Side } from "../side.js";
import type { LocatedUse } from "./analysis.js";
import { sortedPositions } from "./positions.js";
import type { UsePosition } from "./types.js";

/**
 * Returns the positions at which code calls the methods of an API, keyed by
 * method. Handlers of servers do not count.
 */
export function calledMethods(
  { methods }: Side,
  uses: readonly LocatedUse[],
): ReadonlyMap<Method, readonly UsePosition[]> {
  const called = new Map<Method, readonly UsePosition[]>();
  for (const method of methods) {
    const found = uses.filter(
      ({ pointer, part, kind }) =>
        (pointer === method.pointer && part === "method") ||
        // A client or resource that becomes `any` can call all of its methods.
        (kind === "complete" &&
          part === "resource" &&
          method.pointer.startsWith(`${pointer}/`)),
    );
    if (found.length > 0)
      called.set(method, sortedPositions(found.map(({ at }) => at)));
  }
  return called;
}
