import type { Method } from "../../model/ir.js";
import type { MethodPair } from "../rule.js";
import type { Side } from "../side.js";
import { shapeOf, urlPath } from "./paths.js";

type KeyOf = (method: Method, side: Side) => string;

/**
 * Functions that return the keys by which methods are matched, in order of
 * precedence. For example, methods with the same id are matched before methods
 * with the same URL.
 */
const KEYS: readonly KeyOf[] = [
  (method, side) => `${method.id}\n${positionOf(method, side)}`,
  (method) => method.id,
  positionOf,
  (method, side) => `${method.httpMethod} ${shapeOf(urlPath(method, side))}`,
];

function positionOf(method: Method, side: Side): string {
  return `${side.resourceOf.get(method)}\n${method.name}`;
}

/**
 * Pairs the methods of two documents. Methods of the old document come first,
 * in their order; added methods follow.
 */
export function matchMethods(old: Side, now: Side): readonly MethodPair[] {
  const partners = new Map<Method, Method>();
  const free = new Set(now.methods);
  for (const keyOf of KEYS) {
    const byKey = new Map<string, Method>();
    for (const method of free) {
      const key = keyOf(method, now);
      if (!byKey.has(key)) byKey.set(key, method);
    }
    for (const method of old.methods) {
      if (partners.has(method)) continue;
      const partner = byKey.get(keyOf(method, old));
      if (partner === undefined || !free.delete(partner)) continue;
      partners.set(method, partner);
    }
  }
  return [
    ...old.methods.map((method) => ({
      old: method,
      new: partners.get(method),
    })),
    ...[...free].map((method) => ({ old: undefined, new: method })),
  ];
}
