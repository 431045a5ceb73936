import type { Api, Definition, Method, Resource } from "../../model/ir.js";
import { NameScope, pascalCase } from "../../model/names.js";
import { methodWords } from "./resource-names.js";

/**
 * Names that validators.ts uses without declaring them: global values, and the
 * namespace of schemas.ts.
 */
const USED_NAMES = ["Map", "RegExp", "Set", "Array", "schemas"];

/** Names of the functions that validators.ts exports. */
export interface ValidatorNames {
  /**
   * Functions by schema id, e.g. `validateFile` for `File`. Includes functions
   * for inline responses.
   */
  readonly schemas: ReadonlyMap<string, string>;
  /** Functions that validate request bodies. */
  readonly requests: ReadonlyMap<Method, string>;
  /** Functions that validate responses, for schemas in `schemas`. */
  readonly responses: ReadonlyMap<Method, string>;
}

/** Reserves the names of an API's validators. */
export function nameValidators(
  api: Api,
  types: ReadonlyMap<string, string>,
): ValidatorNames {
  const scope = new NameScope(USED_NAMES);
  const schemas = new Map<string, string>();
  for (const definition of api.definitions) {
    if (!isExported(definition, types)) continue;
    const type = pascalCase(types.get(definition.id)!);
    schemas.set(definition.id, scope.reserve(`validate${type}`));
  }
  return { schemas, ...nameBodies(api.root, schemas, scope) };
}

/** Returns the names that validators.ts declares or uses. */
export function validatorScope({
  schemas,
  requests,
}: ValidatorNames): NameScope {
  return new NameScope([
    ...USED_NAMES,
    ...schemas.values(),
    ...requests.values(),
  ]);
}

/**
 * Returns whether a schema has a validator. All schemas of the document and
 * inline responses have one.
 */
function isExported(
  { inline }: Definition,
  types: ReadonlyMap<string, string>,
): boolean {
  if (inline === undefined) return true;
  return inline.field === "response" && !types.has(inline.owner);
}

function nameBodies(
  root: Resource,
  schemas: ReadonlyMap<string, string>,
  scope: NameScope,
): Pick<ValidatorNames, "requests" | "responses"> {
  const requests = new Map<Method, string>();
  const responses = new Map<Method, string>();
  const visit = (resource: Resource): void => {
    for (const method of resource.methods) {
      const { request, response } = method;
      if (request !== undefined) {
        const words = methodWords(resource, method);
        requests.set(method, scope.reserve(`validate${words}Request`));
      }
      const known =
        response?.kind === "ref" ? schemas.get(response.id) : undefined;
      if (known !== undefined) responses.set(method, known);
    }
    resource.children.forEach(visit);
  };
  visit(root);
  return { requests, responses };
}
