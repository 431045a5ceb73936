import type { Api, Parameter } from "../../model/ir.js";

/**
 * Common parameters that are options of a client instead of parameters of each
 * call: they select an encoding that the client does not read, or repeat what
 * the client sends itself (credentials, upload protocols). In the list of a
 * call's parameters they would hide those of the method.
 */
const CLIENT_PARAMETERS: ReadonlySet<string> = new Set([
  "$.xgafv",
  "access_token",
  "alt",
  "bearer_token",
  "callback",
  "oauth_token",
  "pp",
  "prettyPrint",
  "uploadType",
  "upload_protocol",
]);

/** Returns the common parameters that are parameters of each call. */
export function callParameters({ parameters }: Api): Parameter[] {
  return parameters.filter(({ name }) => !CLIENT_PARAMETERS.has(name));
}

/** Returns the common parameters that are options of a client only. */
export function clientParameters({ parameters }: Api): Parameter[] {
  return parameters.filter(({ name }) => CLIENT_PARAMETERS.has(name));
}
