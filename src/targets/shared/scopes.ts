import type { Method } from "../../model/ir.js";
import { Code, identifier, quote } from "../../render/typescript/code.js";
import { docComment } from "../../render/typescript/doc-comment.js";
import type { Engine } from "../../render/engine.js";
import { hang, print } from "../../render/typescript/layout.js";
import { printData } from "../../render/typescript/literals.js";
import { NameScope } from "../../model/names.js";
import type { ApiContext } from "./api-context.js";
import type { OutputFile } from "../../platform/output-file.js";
import { moduleFile } from "./module-file.js";
import { FileContext } from "./file-context.js";

/**
 * Prints scopes.ts, which contains one constant for each OAuth 2.0 scope, and a
 * table of the scopes that each method accepts. Separate constants allow
 * bundlers to remove the scopes that are not used.
 */
export function scopesFile(context: ApiContext, engine: Engine): OutputFile {
  const { api, names, methods } = context;
  const descriptions = new Map(
    api.scopes.map(({ name, description }) => [name, description]),
  );
  const scopes = [...names.scopes].map(([scope, name]) => ({
    doc: docComment({ description: descriptions.get(scope) }, 0),
    declaration: constant(name, scope),
  }));
  const file = new FileContext(
    context,
    new NameScope([...names.scopes.values(), "scopeSets", "scopesFor"]),
    "./",
  );
  const sets = scopeSets(methods).map((set) => setCode(set, names.scopes));
  const table =
    sets.length === 0
      ? undefined
      : {
          sets,
          ScopeSet: identifier(file.runtimeType("ScopeSet")),
          ScopedMethod: identifier(file.runtimeType("ScopedMethod")),
          smallest: identifier(file.runtimeValue("smallestScopes")),
        };
  const { imports } = file;
  const view = { scopes, methods: table };
  return moduleFile(
    { path: "scopes", template: "client/scopes", view, imports },
    context,
    engine,
  );
}

interface MethodSet {
  readonly scopes: readonly string[];
  readonly methods: string[];
}

/**
 * Groups methods that accept the same set of scopes. The groups are in the
 * order of the document.
 */
function scopeSets(methods: readonly Method[]): MethodSet[] {
  const sets = new Map<string, MethodSet>();
  for (const { id, scopes } of methods) {
    if (scopes.length === 0) continue;
    const key = JSON.stringify([...scopes].sort());
    const set = sets.get(key);
    if (set === undefined) sets.set(key, { scopes, methods: [id] });
    else set.methods.push(id);
  }
  return [...sets.values()];
}

function setCode(
  { scopes, methods }: MethodSet,
  names: ReadonlyMap<string, string>,
): Code {
  const constants = scopes.map((scope) => new Code(names.get(scope)!));
  return new Code(printData({ scopes: constants, methods }, 2, "", ","));
}

function constant(name: string, scope: string): Code {
  const { text } = identifier(name);
  return new Code(print([hang(`export const ${text} =`, quote(scope)), ";"]));
}
