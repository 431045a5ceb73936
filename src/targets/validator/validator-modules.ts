import type { ImportOptions } from "../target.js";

/**
 * Modules of the validator runtime, with the names that generated code imports
 * from them.
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
  numbers: [
    "isDouble",
    "isInt32",
    "isInt64",
    "isInteger",
    "isNumber",
    "isUint32",
    "isUint64",
  ],
  texts: ["isBoolean", "isBytes", "isFieldMask", "isString"],
  times: ["isDate", "isDuration", "isTimestamp"],
  variant: ["anything", "variant"],
  "json-schema": ["JsonSchema", "SchemaReference"],
  standard: ["StandardPatch", "StandardSchema", "standard", "standardPatch"],
  validate: ["validate", "validatePatch", "validateRequest"],
  contract: ["PatchResult", "Run", "ValidationOptions", "ValidationResult"],
};

const BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(MODULES).flatMap(([module, names]) =>
    names.map((name) => [name, module] as const),
  ),
);

/**
 * Returns the module of the validator runtime that exports a name. Throws for
 * an unknown name.
 */
export function validatorModuleOf(name: string): string {
  const module = BY_NAME.get(name);
  if (module === undefined) throw new Error(`no module exports ${name}`);
  return module;
}

/** Returns the path from which generated code imports a name of the runtime. */
export function runtimePath(
  name: string,
  { runtimeModule, importSuffix }: ImportOptions,
): string {
  const module = validatorModuleOf(name);
  return runtimeModule === undefined
    ? `../../runtime/validator/${module}${importSuffix}`
    : `${runtimeModule}/validator/${module}`;
}
