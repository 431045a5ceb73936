import type { Api } from "../../model/ir.js";
import { methodsOf } from "../../model/queries.js";
import { Code, identifier, quote } from "../../render/typescript/code.js";
import { docComment } from "../../render/typescript/comment.js";
import type { Engine } from "../../render/engine.js";
import { layOut } from "../../render/typescript/literals.js";
import { NameScope } from "../../model/names.js";
import { banner, FileContext, type ClientContext } from "./file-context.js";

/** The scopes that the API declares, then those that only methods name. */
export function scopesOf(api: Api): string[] {
  const used = methodsOf(api.root).flatMap((method) => method.scopes);
  return [...new Set([...api.scopes.map(({ name }) => name), ...used])];
}

/**
 * scopes.ts: a constant for each OAuth 2.0 scope, so that a bundle holds those
 * in use; and which of them are enough for which methods.
 */
export function scopesFile(context: ClientContext, engine: Engine): string {
  const { api, names } = context;
  const descriptions = new Map(
    api.scopes.map(({ name, description }) => [name, description]),
  );
  const scopes = [...names.scopes].map(([scope, constant]) => ({
    doc: docComment({ description: descriptions.get(scope) }, 0),
    name: identifier(constant),
    value: constantValue(constant, scope),
  }));
  const file = new FileContext(
    context,
    new NameScope([...names.scopes.values(), "scopeSets", "scopesFor"]),
    "./",
  );
  const sets = scopeSets(api).map((set) => setCode(set, names.scopes));
  const view =
    sets.length === 0
      ? undefined
      : {
          sets,
          ScopeSet: identifier(file.runtimeType("ScopeSet")),
          ScopedMethod: identifier(file.runtimeType("ScopedMethod")),
          smallest: identifier(file.runtimeValue("smallestScopes")),
        };
  return engine.render("client/scopes", {
    banner: banner(context),
    imports: file.imports.render(),
    scopes,
    methods: view,
  });
}

interface MethodSet {
  readonly scopes: readonly string[];
  readonly methods: string[];
}

/** Methods with the same scopes, together, in the order of the document. */
function scopeSets({ root }: Api): MethodSet[] {
  const sets = new Map<string, MethodSet>();
  for (const { id, scopes } of methodsOf(root)) {
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
  return new Code(layOut({ scopes: constants, methods }, 2, 2));
}

function constantValue(constant: string, scope: string): Code {
  const text = quote(scope);
  const fits = `export const ${constant} = ${text};`.length <= 80;
  return new Code(fits ? ` ${text}` : `\n  ${text}`);
}
