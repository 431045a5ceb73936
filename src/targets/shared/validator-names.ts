import type { Api, Definition, Method, Resource } from "../../model/ir.js";
import { NameScope, pascalCase } from "../../model/names.js";
import { methodWords } from "./resource-names.js";

/**
 * Names that validators.ts uses without declaring them: global values, and the
 * namespace of the imported schemas.ts.
 */
const USED_NAMES = ["Map", "RegExp", "Set", "Array", "schemas"];

/** Names of the functions and values that validators.ts exports. */
export interface ValidatorNames {
  /**
   * Map from schema id to the name of the validator function, such as
   * `validateFile` for `File`. Includes inline response schemas.
   */
  readonly schemas: ReadonlyMap<string, string>;
  /**
   * Map from method to the name of the function that validates request bodies.
   */
  readonly requests: ReadonlyMap<Method, string>;
  /**
   * Map from method to the name of the function that validates responses. These
   * functions are also in the map `schemas`.
   */
  readonly responses: ReadonlyMap<Method, string>;
  /**
   * Map from the name of a validator function to the name of its Standard
   * Schema, such as `fileSchema` for `validateFile`.
   */
  readonly standard: ReadonlyMap<string, string>;
}

/** Reserves the names of the validators of an API. */
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
  const bodies = nameBodies(api.root, schemas, scope);
  const functions = [...schemas.values(), ...bodies.requests.values()];
  const standard = new Map(
    functions.map((name) => [name, scope.reserve(standardName(name))]),
  );
  return { schemas, ...bodies, standard };
}

/**
 * Returns the preferred name of a validator's Standard Schema, such as
 * `fileSchema` for `validateFile`.
 */
function standardName(validator: string): string {
  const words = validator.slice("validate".length);
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}Schema`;
}

/** Returns the names that validators.ts declares or uses. */
export function validatorScope({
  schemas,
  requests,
  standard,
}: ValidatorNames): NameScope {
  return new NameScope([
    ...USED_NAMES,
    ...schemas.values(),
    ...requests.values(),
    ...standard.values(),
  ]);
}

/**
 * Tests whether a schema has an exported validator. True for all schemas of the
 * document and for inline response schemas.
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
