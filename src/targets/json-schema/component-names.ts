import type { Sink } from "../../diagnostics/sink.js";
import type { Api } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";

/** Names of the schemas in an exported document. */
export interface ComponentNames {
  /**
   * Name by the id of a definition. Inline definitions have none if another
   * definition contains them; they are printed there.
   */
  readonly output: ReadonlyMap<string, string>;
  /** Name of the separate schema for requests, by id. */
  readonly input: ReadonlyMap<string, string>;
  readonly scope: NameScope;
}

/**
 * Names the definitions of an API. Names contain only the characters that
 * OpenAPI allows in keys of components, and no two differ only in case, since
 * tools use them as names of files and types.
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

/** Members that plain objects inherit; assigning to some changes prototypes. */
const PROTOTYPE_KEYS: readonly string[] = Object.getOwnPropertyNames(
  Object.prototype,
);

/** Returns a text as a key that OpenAPI allows for components. */
export function componentName(text: string): string {
  const name = text.replace(/[^A-Za-z0-9._-]/g, "_").slice(0, 200);
  return name === "" ? "_" : name;
}
