import type { Sink } from "../../diagnostics/sink.js";
import type { Api } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";

/** Names of the schemas in an exported document. */
export interface ComponentNames {
  /**
   * Map from definition id to the name of the schema. An inline definition
   * inside another definition has no name, because it is exported as part of
   * that definition.
   */
  readonly output: ReadonlyMap<string, string>;
  /** Map from definition id to the name of the separate schema for requests. */
  readonly input: ReadonlyMap<string, string>;
  readonly scope: NameScope;
}

/**
 * Assigns names to the definitions of an API. The names contain only characters
 * that OpenAPI allows in keys of `components`. No two names differ only in
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
 * Names of the members that plain objects inherit. They are not used as names
 * of schemas, because assigning to some of them, such as `__proto__`, changes
 * the prototype.
 */
const PROTOTYPE_KEYS: readonly string[] = Object.getOwnPropertyNames(
  Object.prototype,
);

/** Converts a string to a key that OpenAPI allows in `components`. */
export function componentName(text: string): string {
  const name = text.replace(/[^A-Za-z0-9._-]/g, "_").slice(0, 200);
  return name === "" ? "_" : name;
}
