import type { Sink } from "../diagnostics/sink.js";
import { GlobError, MethodGlob } from "../model/method-glob.js";
import type { LocatedMethod } from "../model/raw-methods.js";

/** Prefix of selectors that select methods by their OAuth scopes. */
export const SCOPE_PREFIX = "scope:";

/** Parsed element of the `include` or `exclude` option. */
export interface Selector {
  /** Option in which the selector was given. */
  readonly option: "include" | "exclude";
  readonly text: string;
  readonly isMatch: (method: LocatedMethod) => boolean;
}

/** Parses a selector. Reports an invalid selector and returns undefined. */
export function parseSelector(
  option: Selector["option"],
  text: string,
  sink: Sink,
): Selector | undefined {
  const isScope = text.startsWith(SCOPE_PREFIX);
  try {
    const glob = new MethodGlob(
      isScope ? text.slice(SCOPE_PREFIX.length) : text,
    );
    const isMatch = isScope
      ? ({ raw }: LocatedMethod) => matchesScope(glob, raw.scopes ?? [])
      : ({ id }: LocatedMethod) => glob.matchesBelow(id);
    return { option, text, isMatch };
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    sink.report(
      "select-invalid",
      `${option} ${JSON.stringify(text.slice(0, 200))} ${error.message}`,
    );
    return undefined;
  }
}

function matchesScope(glob: MethodGlob, scopes: readonly string[]): boolean {
  return scopes.some(
    (scope) => glob.matches(scope) || glob.matches(shortScope(scope)),
  );
}

/**
 * Returns the part of a scope after `/auth/`, such as `drive.readonly`. For
 * other URLs, returns the host and path.
 */
export function shortScope(scope: string): string {
  const at = scope.lastIndexOf("/auth/");
  if (at !== -1) return scope.slice(at + "/auth/".length);
  return scope.replace(/^[a-z]+:\/\//, "").replace(/\/$/, "");
}
