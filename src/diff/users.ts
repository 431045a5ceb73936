import { forEachRef, referrersOf } from "../model/queries.js";
import type { Side } from "./side.js";

/** Methods whose requests or responses contain a definition. */
export class Users {
  readonly #side: Side;
  #index: Index | undefined;

  constructor(side: Side) {
    this.#side = side;
  }

  /** Returns the ids of the methods that use a definition, sorted. */
  of(id: string): readonly string[] {
    this.#index ??= indexOf(this.#side);
    const { definitions, methods } = this.#index;
    const users = new Set<string>();
    const visited = new Set([id]);
    // Set iteration also visits ids that the loop adds.
    for (const one of visited) {
      for (const method of methods.get(one) ?? []) users.add(method);
      for (const definition of definitions.get(one) ?? [])
        visited.add(definition);
    }
    return [...users].sort();
  }
}

/** Ids of what refers to a definition, keyed by the id of the definition. */
interface Index {
  readonly definitions: ReadonlyMap<string, readonly string[]>;
  readonly methods: ReadonlyMap<string, readonly string[]>;
}

function indexOf({ api, methods }: Side): Index {
  const users = new Map<string, string[]>();
  for (const {
    id,
    request,
    response,
    stream,
    operation,
    parameters,
  } of methods)
    for (const schema of [
      request,
      response,
      stream?.element,
      operation?.result,
      ...parameters.map((parameter) => parameter.schema),
    ])
      if (schema !== undefined)
        forEachRef(schema, (target) => {
          const ids = users.get(target);
          if (ids === undefined) users.set(target, [id]);
          else ids.push(id);
        });
  return { definitions: referrersOf(api.definitions), methods: users };
}
