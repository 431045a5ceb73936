import type { Resource } from "../../model/ir.js";
import { isExportName } from "../../model/names.js";
import { Code } from "../../render/typescript/code.js";
import { printNames } from "../../render/typescript/imports.js";
import type { ApiContext } from "../shared/api-context.js";

/** Name of a method's constant, and the different name of the method. */
export type RenamedMethod = readonly [constant: string, name: string];

/**
 * Returns the methods of a resource whose constants have a different name, such
 * as delete_ for delete.
 */
export function renamedMethods(
  resource: Resource,
  { names }: Pick<ApiContext, "names">,
): RenamedMethod[] {
  return resource.methods
    .map((method) => [names.methods.get(method)!, method.name] as const)
    .filter(([constant, name]) => constant !== name);
}

/**
 * Prints the statement that adds exports with the names of methods, such as
 * `export { delete_ as delete };`. The client's type has members with these
 * names. Returns undefined if no such export is needed.
 */
export function methodAliases(
  resource: Resource,
  context: ApiContext,
): Code | undefined {
  const aliases = renamedMethods(resource, context)
    .filter(([, name]) => isExportName(name))
    .map(([constant, name]) => `${constant} as ${name}`);
  return aliases.length === 0
    ? undefined
    : new Code(printNames("export", aliases));
}
