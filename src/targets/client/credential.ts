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

/** How a credential is sent, as the runtime is told. */
export function credentialRules({
  in: place,
  name,
  schemes,
}: Credential): Entries {
  return {
    in: place === "query" ? place : undefined,
    name,
    scheme: place === "query" ? undefined : schemes[0],
  };
}

/** The settings as the runtime takes them: with the credential in its place. */
export function settingsCode(
  { api, methods }: ApiContext,
  file: FileContext,
): Code {
  const isUsual = hasUsualCredential(api);
  const isOther = methods.some(
    (method) => method.hasOwnCredential && method.credential !== undefined,
  );
  if (isUsual && !isOther) return new Code("options");
  const put = file.runtimeValue("credentialed");
  if (isUsual) return new Code(`${put}(options)`);
  return new Code(`${put}(options, credential)`);
}

function hasUsualCredential({ credential }: Api): boolean {
  return credential === undefined || isBearer(credential);
}

/** The constant that says where the credential goes, unless it is a bearer token. */
export function credentialView(
  api: Api,
  file: FileContext,
): CredentialView | undefined {
  if (hasUsualCredential(api)) return undefined;
  const rules = entryLines(credentialRules(api.credential!), 2);
  return { type: new Code(file.runtimeType("CredentialRules")), rules };
}

/** What the runtime does by itself. */
function isBearer({ in: place, name, schemes }: Credential): boolean {
  return (
    place === "header" &&
    name.toLowerCase() === "authorization" &&
    schemes[0]?.toLowerCase() === "bearer"
  );
}

/** What the credential is, where the document says it. */
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
      takesUndefined: true,
    }),
  ];
}
