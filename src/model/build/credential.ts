import type { RawExtensions } from "../../load/raw.js";
import type { Credential, Method } from "../ir.js";
import type { DocumentPath, BuildContext } from "./context.js";
import { membersOf, stringMembers, stringsIn } from "./raw-values.js";

/**
 * Builds the credential of a method: the method's own `x-credential`, otherwise
 * that of the document. Returns undefined if the method's `x-credential` is
 * `false`.
 */
export function methodCredential(
  own: unknown,
  document: RawExtensions,
): Credential | undefined {
  if (own === false) return undefined;
  return own === undefined
    ? documentCredential(document)
    : parseCredential(own);
}

/** Builds the default credential, which methods can override. */
export function documentCredential(
  document: RawExtensions,
): Credential | undefined {
  return parseCredential(document["x-credential"]);
}

function parseCredential(raw: unknown): Credential | undefined {
  const { in: location, name, schemes, description } = membersOf(raw);
  if (
    (location !== "header" && location !== "query") ||
    typeof name !== "string"
  )
    return undefined;
  return {
    in: location,
    name,
    schemes: stringsIn(schemes),
    ...stringMembers({ description }),
  };
}

/** Reports a query credential whose parameter is not declared. */
export function checkCredential(
  credential: Credential | undefined,
  { id, parameters }: Pick<Method, "id" | "parameters">,
  at: DocumentPath,
  context: BuildContext,
): void {
  const { in: location, name } = credential ?? {};
  const isDeclared = [
    ...parameters.map((parameter) => parameter.name),
    ...context.commonNames,
  ].some((declared) => declared === name);
  if (location === "query" && !isDeclared)
    context.report(
      "extension-unresolved",
      `${id}: x-credential names ${JSON.stringify(name)}, which is not a parameter of the method`,
      at,
    );
}
