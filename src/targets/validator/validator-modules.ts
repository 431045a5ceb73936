import type { ImportOptions } from "../target.js";

/**
 * Map from each module of the validator runtime to the names that generated
 * code imports from it.
 */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  expected: ["fail"],
  containers: ["at", "isObject", "list", "map", "scalarMap", "scalars"],
  fields: [
    "empty",
    "isMissing",
    "missing",
    "missingOutput",
    "readOnly",
    "requiredBy",
    "undeclared",
  ],
  limits: ["maximum", "minimum", "oneOf", "pattern"],
  scalars: [
    "isBoolean",
    "isBytes",
    "isDate",
    "isDouble",
    "isDuration",
    "isFieldMask",
    "isInt32",
    "isInt64",
    "isInteger",
    "isNumber",
    "isString",
    "isTimestamp",
    "isUint32",
    "isUint64",
  ],
  union: ["union"],
  variant: ["anything", "variant"],
  "json-schema": [
    "JsonSchema",
    "SchemaReference",
    "StandardJsonPatch",
    "StandardJsonSchema",
    "withJsonSchema",
    "withPatchSchema",
  ],
  standard: ["StandardPatch", "StandardSchema", "standard"],
  validate: ["validate", "validatePatch", "validateRequest"],
  contract: ["PatchResult", "Run", "ValidationOptions", "ValidationResult"],
};

const BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(MODULES).flatMap(([module, names]) =>
    names.map((name) => [name, module] as const),
  ),
);

/**
 * Returns the module of the validator runtime that exports a name. Throws if no
 * module exports it.
 */
export function validatorModuleOf(name: string): string {
  const module = BY_NAME.get(name);
  if (module === undefined)
    throw new Error(`no module of the validator runtime exports ${name}`);
  return module;
}

/**
 * Returns the import path of the validator runtime's module that exports a
 * name.
 */
export function runtimePath(
  name: string,
  { runtimeModule, importSuffix }: ImportOptions,
): string {
  const module = validatorModuleOf(name);
  return runtimeModule === undefined
    ? `../../runtime/validator/${module}${importSuffix}`
    : `${runtimeModule}/validator/${module}`;
}
