import { suggestion } from "../diagnostics/closest.js";
import { MethodGlob } from "../model/method-glob.js";
import { rawMethods } from "../model/raw-methods.js";
import { setMember } from "./edit-json.js";
import type { PatchOperation, PatchPosition } from "./patch-file.js";
import { OperationError, type PatchSession } from "./patch-session.js";
import { methodIds } from "./rename.js";
import { formatValue } from "./target.js";

type Json = Record<string, unknown>;

/** Declares OAuth scopes, and adds them to all methods that match a glob. */
export function addScopes(
  { at, value }: PatchOperation,
  session: PatchSession,
  by: PatchPosition,
): void {
  const document = session.document as Json;
  const glob = new MethodGlob(at);
  const methods = rawMethods(session.document).filter(({ id }) =>
    glob.matchesBelow(id),
  );
  if (methods.length === 0)
    throw new OperationError(
      "stale",
      `the glob ${JSON.stringify(at)} matches no method id${suggestion(at, methodIds(session.document))}`,
    );
  const added = Object.entries(value as Readonly<Record<string, string>>);
  const declared = session.document.auth?.oauth2?.scopes ?? {};
  let isChanged = false;
  for (const [scope, description] of added) {
    const known = Object.hasOwn(declared, scope) ? declared[scope] : undefined;
    if (known !== undefined && known.description !== description)
      throw new OperationError(
        "stale",
        `the scope ${scope} already has a different description: ${formatValue(known.description)}`,
      );
    isChanged ||= known === undefined;
    isChanged ||= methods.some(
      ({ raw }) => raw.scopes?.includes(scope) !== true,
    );
  }
  if (!isChanged)
    throw new OperationError(
      "upstream",
      `the methods that match ${at} already have these scopes`,
    );
  const scopes = { ...declared };
  for (const [scope, description] of added)
    setMember(scopes as Json, scope, { description });
  setMember(document, "auth", {
    ...session.document.auth,
    oauth2: { ...session.document.auth?.oauth2, scopes },
  });
  for (const [scope] of added)
    session.origins.addWrite(["auth", "oauth2", "scopes", scope], by);
  for (const { raw, path } of methods) {
    const all = [...(raw.scopes ?? []), ...added.map(([scope]) => scope)];
    setMember(raw as unknown as Json, "scopes", [...new Set(all)].sort());
    session.origins.addWrite([...path, "scopes"], by);
  }
}
