import type { Schema } from "../model/ir.js";
import { forEachRef, forEachReference } from "../model/queries.js";
import type { Side } from "./side.js";

/** Methods whose requests or responses contain a definition. */
export class Users {
  readonly #side: Side;
  /** Ids of methods and of definitions that refer to a definition, by its id. */
  #referrers: ReadonlyMap<string, Referrers> | undefined;

  constructor(side: Side) {
    this.#side = side;
  }

  /** Returns the ids of the methods that use a definition, sorted. */
  of(id: string): readonly string[] {
    this.#referrers ??= referrersOf(this.#side);
    const methods = new Set<string>();
    const visited = new Set([id]);
    // Set iteration also visits ids that the loop adds.
    for (const one of visited) {
      const found = this.#referrers.get(one);
      for (const method of found?.methods ?? []) methods.add(method);
      for (const definition of found?.definitions ?? [])
        visited.add(definition);
    }
    return [...methods].sort();
  }
}

interface Referrers {
  readonly methods: Set<string>;
  readonly definitions: Set<string>;
}

function referrersOf({ api, methods }: Side): Map<string, Referrers> {
  const referrers = new Map<string, Referrers>();
  const entry = (id: string): Referrers => {
    const found = referrers.get(id);
    if (found !== undefined) return found;
    const created = {
      methods: new Set<string>(),
      definitions: new Set<string>(),
    };
    referrers.set(id, created);
    return created;
  };
  for (const definition of api.definitions)
    forEachReference(definition, (id) =>
      entry(id).definitions.add(definition.id),
    );
  for (const {
    id,
    request,
    response,
    stream,
    operation,
    parameters,
  } of methods) {
    const schemas: readonly (Schema | undefined)[] = [
      request,
      response,
      stream?.element,
      operation?.result,
      ...parameters.map(({ schema }) => schema),
    ];
    for (const schema of schemas)
      if (schema !== undefined)
        forEachRef(schema, (target) => entry(target).methods.add(id));
  }
  return referrers;
}
