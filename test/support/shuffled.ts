import { randomOf } from "./random-values.js";

/** The same JSON value with the keys of all objects in an order that the seed decides. */
export function shuffled(value: unknown, seed: number): unknown {
  const next = randomOf(seed);
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== "object" || node === null) return node;
    const entries = Object.entries(node)
      .map(([key, member]) => ({ key, member, rank: next() }))
      .sort((a, b) => a.rank - b.rank);
    return Object.fromEntries(
      entries.map(({ key, member }) => [key, visit(member)]),
    );
  };
  return visit(value);
}
