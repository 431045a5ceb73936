import type { Side } from "../side.js";

/** Returns the scopes that a document declares or that its methods use. */
export function scopesOf({ api, methods }: Side): ReadonlySet<string> {
  return new Set([
    ...api.scopes.map(({ name }) => name),
    ...methods.flatMap(({ scopes }) => scopes),
  ]);
}
