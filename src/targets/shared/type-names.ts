import type { Sink } from "../../diagnostics/sink.js";
import type { Api, Definition } from "../../model/ir.js";
import {
  NameScope,
  isIdentifier,
  pascalCase,
  safeType,
} from "../../model/names.js";
import { equalEnums, sharedNames } from "./equal-enums.js";
import type { Direction } from "./types.js";

/** Global types that schemas.ts refers to. */
const USED_GLOBALS = ["Omit"];

/**
 * Maps from definition id to the name of the definition's type in schemas.ts.
 */
export interface DefinitionNames {
  /**
   * Names of response types. Requests use the same type unless `inputs`
   * contains a separate type.
   */
  readonly types: ReadonlyMap<string, string>;
  /** Names of request types that differ from the response types. */
  readonly inputs: ReadonlyMap<string, string>;
  /**
   * Ids of inline enums whose type is declared for an equal enum. Thus their
   * names in `types` are also names of other definitions.
   */
  readonly repeated: ReadonlySet<string>;
}

/**
 * Reserves the type names of all definitions. Reports each name that differs
 * from the name in the document.
 */
export function nameDefinitions(api: Api, sink: Sink): DefinitionNames {
  const scope = new NameScope(USED_GLOBALS);
  const { types, repeated } = nameTypes(api, scope, sink);
  const inputs = new Map<string, string>();
  for (const { id, hasInputType } of api.definitions)
    if (hasInputType === true)
      inputs.set(id, scope.reserve(`${types.get(id)!}Input`));
  return { types, inputs, repeated };
}

/** Returns the names that schemas.ts declares or uses. */
export function schemaScope({
  types,
  inputs,
}: Pick<DefinitionNames, "types" | "inputs">): NameScope {
  return new NameScope([
    ...USED_GLOBALS,
    ...types.values(),
    ...inputs.values(),
  ]);
}

/** Returns the name of the response type or request type of a definition. */
export function definitionType(
  id: string,
  direction: Direction,
  { types, inputs }: Pick<DefinitionNames, "types" | "inputs">,
): string {
  const input = direction === "input" ? inputs.get(id) : undefined;
  return input ?? types.get(id)!;
}

/**
 * Reserves type names. The order keeps most names unchanged when the document
 * is extended: first schemas whose id is a valid type name, then the other
 * schemas of the document, then inline schemas.
 */
function nameTypes(
  api: Api,
  scope: NameScope,
  sink: Sink,
): Pick<DefinitionNames, "types" | "repeated"> {
  const types = new Map<string, string>();
  const invalid: Definition[] = [];
  const inline: Definition[] = [];
  for (const definition of api.definitions) {
    const { id } = definition;
    if (definition.inline !== undefined) inline.push(definition);
    else if (scope.has(id) || typeName(id) !== id) invalid.push(definition);
    else types.set(id, scope.reserve(id));
  }
  for (const definition of invalid) {
    const name = scope.reserve(typeName(definition.id));
    types.set(definition.id, name);
    if (name !== definition.id) reportRenamed(definition, name, sink);
  }
  const groups = equalEnums(api).filter(({ length }) => length > 1);
  const shared = new Set(groups.flat());
  for (const definition of inline) {
    if (shared.has(definition)) continue;
    const preferred = inlineName(definition, types);
    const name = scope.reserve(preferred);
    types.set(definition.id, name);
    if (name !== preferred) reportRenamed(definition, name, sink);
  }
  const repeated = nameSharedEnums(api, groups, types, scope);
  return { types, repeated };
}

/**
 * Reserves one type name for each group of equal enums. Returns the ids of all
 * enums of a group except the one for which the type is declared.
 */
function nameSharedEnums(
  { definitions }: Api,
  groups: readonly (readonly Definition[])[],
  types: Map<string, string>,
  scope: NameScope,
): Set<string> {
  const byId = new Map(definitions.map((entry) => [entry.id, entry]));
  const nameOf = (definition: Definition): string =>
    inlineName(definition, types);
  const source = { definitions: byId, nameOf, minDepth: 2 };
  const repeated = new Set<string>();
  for (const group of groups) {
    const names = sharedNames(group, source);
    const free = names.find(({ name }) => !scope.has(safeType(name)));
    const preferred = free?.name ?? nameOf(group[0]!);
    const name = scope.reserve(safeType(preferred));
    const declared = free?.definition ?? group[0]!;
    for (const definition of group) {
      types.set(definition.id, name);
      if (definition !== declared) repeated.add(definition.id);
    }
  }
  return repeated;
}

function reportRenamed(
  { id, pointer }: Definition,
  name: string,
  sink: Sink,
): void {
  sink.report(
    "name-changed",
    `schema ${JSON.stringify(id)} has the type name ${name}`,
    pointer,
  );
}

function typeName(id: string): string {
  return safeType(isIdentifier(id) ? id : pascalCase(id));
}

/**
 * Returns the name of an inline type, in Pascal case: the name of the type that
 * contains the field, then the name of the field. If a method contains the
 * field, the method id without the name of the API comes first.
 */
function inlineName(
  { inline }: Definition,
  types: ReadonlyMap<string, string>,
): string {
  const [api = "", ...names] = inline!.owner.split(".");
  const owner = types.get(inline!.owner) ?? pascalCase(names.join(".") || api);
  return safeType(owner + pascalCase(inline!.field).replace(/^_(?=\d)/, ""));
}
