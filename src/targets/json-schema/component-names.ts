import type { Sink } from "../../diagnostics/sink.js";
import type { Api } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";

/** Names that the schemas have in an exported document. */
export interface ComponentNames {
  /**
   * Name by id of the definition. An inline definition that is contained in
   * another definition has no name, because it is printed inside the other one.
   */
  readonly output: ReadonlyMap<string, string>;
  /** Name of the separate schema for requests, by id of the definition. */
  readonly input: ReadonlyMap<string, string>;
  readonly scope: NameScope;
}

/**
 * Assigns names to the definitions of an API. Names contain only the characters
 * that OpenAPI allows in keys of components. Two names never differ only in
 * case, because tools use them as names of files and types.
 * @param inputs ids of the definitions that have a separate schema for requests
 */
export function nameComponents(
  api: Api,
  inputs: ReadonlySet<string>,
  sink: Sink,
): ComponentNames {
  const scope = new NameScope(PROTOTYPE_KEYS);
  const output = new Map<string, string>();
  const ids = new Set(api.definitions.map(({ id }) => id));
  for (const definition of api.definitions) {
    if (definition.inline !== undefined && ids.has(definition.inline.owner))
      continue;
    const name = scope.reserve(componentName(definition.id));
    output.set(definition.id, name);
    if (name !== definition.id && definition.inline === undefined)
      sink.report(
        "export-renamed",
        `schema ${JSON.stringify(definition.id)} has the name ${name} in OpenAPI and JSON Schema`,
        definition.pointer,
      );
  }
  const input = new Map<string, string>();
  for (const [id, name] of output)
    if (inputs.has(id)) input.set(id, scope.reserve(`${name}Input`));
  return { output, input, scope };
}

/**
 * Names of members that plain objects inherit. An assignment to some of them,
 * such as `__proto__`, changes prototypes.
 */
const PROTOTYPE_KEYS: readonly string[] = Object.getOwnPropertyNames(
  Object.prototype,
);

/** Converts a string to a key that OpenAPI allows in components. */
export function componentName(text: string): string {
  const name = text.replace(/[^A-Za-z0-9._-]/g, "_").slice(0, 200);
  return name === "" ? "_" : name;
}
