import type { RawExtensions } from "../../load/raw.js";
import type { Credential, Method } from "../ir.js";
import type { DocumentPath, BuildContext } from "./context.js";
import { membersOf, stringMembers, stringsIn } from "./raw-values.js";

/**
 * Returns the credential of a method: the method's own `x-credential` if it is
 * declared, otherwise the document's. Returns undefined if the method's
 * `x-credential` is `false`.
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

/** Returns the document's default credential, which methods can override. */
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
  if (credential?.in !== "query") return;
  const { name } = credential;
  const isDeclared =
    context.commonNames.includes(name) ||
    parameters.some((parameter) => parameter.name === name);
  if (!isDeclared)
    context.report(
      "extension-unresolved",
      `${id}: x-credential contains ${JSON.stringify(name)}, which is not a parameter of the method`,
      at,
    );
}
