import { parseFields } from "../../../generated/runtime/server/responses/fields.js";
import { viewOf, type JsonView } from "../../site/json-view.js";

/**
 * Replaces `rootUrl` and `baseUrl` in a document with URLs of the given origin.
 * All other bytes are unchanged, so the order of members, the notation of
 * numbers and unknown members are preserved.
 */
export function withOrigin(bytes: Buffer, origin: string): Buffer {
  const document = viewOf(bytes);
  const servicePath = document.at("servicePath")?.text() ?? "";
  const edits = [
    [document.at("rootUrl"), `${origin}/`],
    [document.at("baseUrl"), `${origin}/${servicePath}`],
  ] as const;
  const pieces: Buffer[] = [];
  let at = document.start;
  const ordered = [...edits].sort(
    ([a], [b]) => (a?.start ?? 0) - (b?.start ?? 0),
  );
  for (const [view, text] of ordered) {
    if (view === undefined) continue;
    pieces.push(
      bytes.subarray(at, view.start),
      Buffer.from(JSON.stringify(text)),
    );
    at = view.end;
  }
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}

/**
 * Parses only the top-level members that a field selection requires, because a
 * document can have a size of several megabytes.
 *
 * @throws ApiError 400 for an invalid selection
 */
export function selectFields(
  bytes: Buffer,
  fields: string | undefined,
): object {
  const document = viewOf(bytes);
  const selected = fields ? parseFields(fields) : undefined;
  if (selected === undefined || selected.has("*")) return objectOf(document);
  const entries = [...document.members]
    .filter(([name]) => selected.has(name))
    .map(([name, view]) => [name, view.value()] as const);
  return Object.fromEntries(entries);
}

function objectOf(view: JsonView): object {
  const value = view.value();
  return typeof value === "object" && value !== null ? value : {};
}
