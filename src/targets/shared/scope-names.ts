import type { Api, Method } from "../../model/ir.js";
import { NameScope, camelCase, safeVariable } from "../../model/names.js";

/**
 * Returns a map from scope to the name of its constant in scopes.ts: first the
 * scopes that the API declares, then scopes that are listed only by methods.
 */
export function nameScopes(
  api: Api,
  methods: readonly Method[],
): Map<string, string> {
  const declared = api.scopes.map(({ name }) => name);
  const listed = methods.flatMap(({ scopes }) => scopes);
  const reserved = new NameScope(["scopesFor", "scopeSets"]);
  const constants = new Map<string, string>();
  for (const scope of [...declared, ...listed])
    if (!constants.has(scope))
      constants.set(scope, reserved.reserve(constantName(scope)));
  return constants;
}

/**
 * Converts a scope to a variable name: `https://…/auth/drive.readonly` becomes
 * driveReadonly.
 */
function constantName(scope: string): string {
  const words = distinctivePart(scope).replace(/[^A-Za-z0-9]+/g, " ");
  return safeVariable(camelCase(words));
}

/**
 * Returns the part of a scope after `/auth/`. If there is none, returns the
 * path of the scope's URL; if the path is empty, the host. A scope that is not
 * a URL is returned unchanged.
 */
function distinctivePart(scope: string): string {
  const at = scope.indexOf("/auth/");
  if (at >= 0 && at + 6 < scope.length) return scope.slice(at + 6);
  if (!/^https?:\/\//.test(scope)) return scope;
  const rest = scope.slice(scope.indexOf("/") + 2);
  const [host] = rest.split("/", 1);
  return rest.slice(host!.length + 1) || host || scope;
}
