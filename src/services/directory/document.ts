import { parseFields } from "../../../generated/runtime/server/responses/fields.js";
import { viewOf, type JsonView } from "./json-view.js";

/**
 * The bytes of a document that tells that its API lives at an origin. Only the
 * values of `rootUrl` and `baseUrl` are exchanged: every other byte stays as it
 * is in the file, so that order, numbers and unknown members arrive as written.
 */
export function atOrigin(bytes: Buffer, origin: string): Buffer {
  const document = viewOf(bytes);
  const servicePath = document.at("servicePath")?.text() ?? "";
  const edits = [
    [document.at("rootUrl"), `${origin}/`],
    [document.at("baseUrl"), `${origin}/${servicePath}`],
  ] as const;
  const pieces: Buffer[] = [];
  let at = document.start;
  const byPlace = [...edits].sort(
    ([a], [b]) => (a?.start ?? 0) - (b?.start ?? 0),
  );
  for (const [view, text] of byPlace) {
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
 * The document as a value, as far as a selection of fields needs it: what
 * nobody asks for of a document of megabytes is not parsed.
 *
 * @throws ApiError 400 for a selection that is none
 */
export function partOf(bytes: Buffer, fields: string | undefined): object {
  const document = viewOf(bytes);
  const wanted = fields ? parseFields(fields) : undefined;
  if (wanted === undefined || wanted.has("*")) return objectOf(document);
  const entries = [...document.members]
    .filter(([name]) => wanted.has(name))
    .map(([name, view]) => [name, view.value()] as const);
  return Object.fromEntries(entries);
}

function objectOf(view: JsonView): object {
  const value = view.value();
  return typeof value === "object" && value !== null ? value : {};
}
