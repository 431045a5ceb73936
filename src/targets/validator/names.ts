import { Sink } from "../../diagnostics/sink.js";
import type { Api, Definition, Method } from "../../model/ir.js";
import { NameScope, pascalCase } from "../../model/names.js";
import { nameApi, type ApiNames } from "../shared/naming.js";

/** Names of the language's library that validators.ts itself prints. */
const USED_GLOBALS = ["Map", "RegExp", "Set", "Array"];

/** The functions of validators.ts, and the names that they are made of. */
export interface ValidatorNames {
  /**
   * Function by schema id, e.g. `File` → `validateFile`; also for the inline
   * schemas that are the whole response of a method.
   */
  readonly schemas: ReadonlyMap<string, string>;
  /** Function for the request body of each method that has one. */
  readonly requests: ReadonlyMap<Method, string>;
  /** Function for the response of each method whose response has a name. */
  readonly responses: ReadonlyMap<Method, string>;
  /** Names of the whole API: the folder, and types as schemas.ts has them. */
  readonly api: ApiNames;
  /** What is taken in validators.ts. */
  readonly scope: NameScope;
}

/**
 * Allots the names of an API's validators: the same ones for whoever asks, so
 * that another target can import them.
 *
 * @param sink takes what is renamed; left out where another target reports it.
 */
export function nameValidators(
  api: Api,
  sink: Sink = new Sink(),
): ValidatorNames {
  const names = nameApi(api, [], sink);
  const scope = new NameScope([...USED_GLOBALS, "schemas"]);
  const schemas = new Map<string, string>();
  for (const definition of api.definitions) {
    if (!isExported(definition, names)) continue;
    const type = pascalCase(names.types.get(definition.id)!);
    schemas.set(definition.id, scope.reserve(`validate${type}`));
  }
  return {
    schemas,
    ...nameBodies(api, schemas, scope),
    api: names,
    scope,
  };
}

/** The document's own schemas, and inline responses; requests have their own. */
function isExported({ inline }: Definition, { types }: ApiNames): boolean {
  if (inline === undefined) return true;
  return inline.field === "response" && !types.has(inline.owner);
}

function nameBodies(
  api: Api,
  schemas: ReadonlyMap<string, string>,
  scope: NameScope,
): Pick<ValidatorNames, "requests" | "responses"> {
  const requests = new Map<Method, string>();
  const responses = new Map<Method, string>();
  for (const [method, words] of methodNames(api)) {
    if (method.request !== undefined)
      requests.set(method, scope.reserve(`validate${words}Request`));
    const { response } = method;
    const known =
      response?.kind === "ref" ? schemas.get(response.id) : undefined;
    if (known !== undefined) responses.set(method, known);
  }
  return { requests, responses };
}

/** `FilesCreate` for drive.files.create: resources from the top, and the method. */
function methodNames({ root }: Api): Map<Method, string> {
  const names = new Map<Method, string>();
  const visit = (resource: Api["root"]): void => {
    for (const method of resource.methods)
      names.set(method, pascalCase([...resource.path, method.name].join(".")));
    resource.children.forEach(visit);
  };
  visit(root);
  return names;
}
