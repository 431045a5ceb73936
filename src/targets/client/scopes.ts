import type { Api } from "../../model/ir.js";
import { methodsOf } from "../../model/passes/direction.js";
import { Code, identifier, quote } from "../../render/code.js";
import { docComment } from "../../render/comment.js";
import type { Engine } from "../../render/engine.js";
import { banner, type ClientContext } from "./context.js";

/** The scopes that the API declares, then those that only methods name. */
export function scopesOf(api: Api): string[] {
  const used = methodsOf(api.root).flatMap((method) => method.scopes);
  return [...new Set([...api.scopes.map(({ name }) => name), ...used])];
}

/** scopes.ts: a constant for each OAuth 2.0 scope, so that a bundle holds those in use. */
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
  return engine.render("client/scopes", { banner: banner(context), scopes });
}

function constantValue(constant: string, scope: string): Code {
  const text = quote(scope);
  const fits = `export const ${constant} = ${text};`.length <= 80;
  return new Code(fits ? ` ${text}` : `\n  ${text}`);
}
