import type { Api, Credential } from "../../model/ir.js";
import { Code } from "../../render/typescript/code.js";
import { named } from "../../render/typescript/types.js";
import type { ApiContext } from "../shared/api-context.js";
import { credentialNote } from "../shared/doc-notes.js";
import { entryLines, type Entries } from "../shared/entries.js";
import type { FileContext } from "../shared/file-context.js";
import { memberView } from "../shared/members.js";
import type { MemberView } from "../shared/views.js";
import type { CredentialView } from "./views.js";

/** Returns the rules by which the runtime adds a credential to a request. */
export function credentialRules({
  in: location,
  name,
  schemes,
}: Credential): Entries {
  return {
    in: location === "query" ? location : undefined,
    name,
    scheme: location === "query" ? undefined : schemes[0],
  };
}

/**
 * Prints an expression for the client options, which include the credential
 * rules. Bearer tokens need no rules.
 */
export function settingsCode(
  { api, methods }: ApiContext,
  file: FileContext,
): Code {
  const isBearerToken = usesBearerToken(api);
  const hasOtherCredentials = methods.some(
    (method) => method.hasOwnCredential && method.credential !== undefined,
  );
  if (isBearerToken && !hasOtherCredentials) return new Code("options");
  const wrap = file.runtimeValue("withCredential");
  if (isBearerToken) return new Code(`${wrap}(options)`);
  return new Code(`${wrap}(options, credential)`);
}

function usesBearerToken({ credential }: Api): boolean {
  return credential === undefined || isBearer(credential);
}

/**
 * Returns the template data for the constant that contains the credential
 * rules; undefined for a bearer token.
 */
export function credentialView(
  { api }: ApiContext,
  file: FileContext,
): CredentialView | undefined {
  if (usesBearerToken(api)) return undefined;
  const rules = entryLines(credentialRules(api.credential!), 2);
  const type = new Code(file.runtimeType("CredentialRules"));
  return { type, rules };
}

/**
 * Tests whether a credential is sent as a bearer token, which needs no
 * credential rules.
 */
function isBearer({ in: location, name, schemes }: Credential): boolean {
  return (
    location === "header" &&
    name.toLowerCase() === "authorization" &&
    schemes[0]?.toLowerCase() === "bearer"
  );
}

/**
 * Returns the `auth` option of the client, with a comment that describes the
 * credential.
 */
export function authMember(
  { credential }: Api,
  file: FileContext,
): MemberView[] {
  if (credential === undefined) return [];
  const isToken = credential.in === "query";
  const type = named(file.runtimeType(isToken ? "TokenSource" : "Auth"));
  const { description } = credential;
  return [
    memberView({
      name: "auth",
      type,
      doc: { description, notes: [credentialNote(credential)] },
      isOptional: true,
      isReadonly: true,
      acceptsUndefined: true,
    }),
  ];
}
