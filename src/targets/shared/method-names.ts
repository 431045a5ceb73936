import {
  NameScope,
  camelCase,
  isIdentifier,
  safeVariable,
} from "../../model/names.js";
import type { Method, Resource } from "../../model/ir.js";
import type { Sink } from "../../diagnostics/sink.js";

/**
 * Constants of a resource's methods: safe identifiers, each once. Methods
 * whose name is one already choose first, so that adding an odd one to the
 * document renames none of them.
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

/** A name that is an identifier stays as it is; others are made one. */
function constantName(name: string): string {
  return safeVariable(isIdentifier(name) ? name : camelCase(name));
}

/** The underscore behind reserved words such as delete needs no word. */
function report({ name, pointer }: Method, constant: string, sink: Sink): void {
  if (constant === `${name}_`) return;
  sink.report(
    "name-changed",
    `method ${JSON.stringify(name)} is the flat function ${constant}`,
    pointer,
  );
}
