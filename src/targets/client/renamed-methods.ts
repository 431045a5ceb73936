import type { Resource } from "../../model/ir.js";
import { isExportName } from "../../model/names.js";
import { Code } from "../../render/typescript/code.js";
import { printNames } from "../../render/typescript/imports.js";
import type { ApiNames } from "../shared/naming.js";

/**
 * Returns the names that the module of a resource exports: the constants of the
 * methods, and the names of methods whose constants have a different name, such
 * as `delete` for the constant `delete_`.
 */
export function exportedNames(
  resource: Resource,
  names: ApiNames,
): ReadonlySet<string> {
  const constants = resource.methods.map((method) =>
    names.methods.get(method)!,
  );
  const aliases = aliasesOf(resource, names).map(([, name]) => name);
  return new Set([...constants, ...aliases]);
}

/**
 * Prints the statement that adds exports with the names of methods, such as
 * `export { delete_ as delete };`. The client's type has members with these
 * names. Returns undefined if no such export is needed.
 */
export function methodAliases(
  resource: Resource,
  names: ApiNames,
): Code | undefined {
  const aliases = aliasesOf(resource, names).map(
    ([constant, name]) => `${constant} as ${name}`,
  );
  return aliases.length === 0
    ? undefined
    : new Code(printNames("export", aliases));
}

/**
 * Returns the methods of a resource whose constants have a different name, if
 * the names of the methods can be exported.
 */
function aliasesOf(
  { methods }: Resource,
  names: ApiNames,
): (readonly [constant: string, name: string])[] {
  return methods
    .map((method) => [names.methods.get(method)!, method.name] as const)
    .filter(([constant, name]) => constant !== name && isExportName(name));
}
