import {
  NameScope,
  camelCase,
  isIdentifier,
  safeVariable,
} from "../../model/names.js";
import type { Method, Resource } from "../../model/ir.js";
import type { Sink } from "../../diagnostics/sink.js";

/**
 * Reserves the name of a constant for each method of a resource. Methods whose
 * name is a valid identifier get their names first, so that a method that is
 * later added to the document does not rename other methods.
 */
export function nameMethods(
  resource: Resource,
  sink: Sink,
): Map<Method, string> {
  const scope = new NameScope();
  const constants = new Map<Method, string>();
  const isPlain = ({ name }: Method): boolean => constantName(name) === name;
  for (const method of resource.methods.filter(isPlain))
    constants.set(method, scope.reserve(method.name));
  for (const method of resource.methods) {
    if (constants.has(method)) continue;
    const constant = scope.reserve(constantName(method.name));
    constants.set(method, constant);
    report(method, constant, sink);
  }
  return constants;
}

function constantName(name: string): string {
  return safeVariable(isIdentifier(name) ? name : camelCase(name));
}

/**
 * Reports a changed name. An underscore that was only added to a reserved word,
 * such as `delete`, is not reported.
 */
function report({ name, pointer }: Method, constant: string, sink: Sink): void {
  if (constant === `${name}_`) return;
  sink.report(
    "name-changed",
    `method ${JSON.stringify(name)} is exported as ${constant}`,
    pointer,
  );
}
