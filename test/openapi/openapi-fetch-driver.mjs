// Driver for ../shared/oracle/compare.mjs: makes the calls of the records with
// openapi-fetch and the exported documents below --exports.
import { readFileSync } from "node:fs";
import path from "node:path";
import createClient from "openapi-fetch";
import { callOf, NotPossible, openDocument, sendContent } from "./calls.mjs";

let folders;
const documents = new Map();

export function init({ docs, argv }) {
  folders = { docs, exports: argv[argv.indexOf("--exports") + 1] };
}

export function open({ doc }) {
  const file = path.join(folders.docs, `${doc}.json`);
  const { name, version } = JSON.parse(readFileSync(file, "utf8"));
  documents.set(doc, openDocument(path.join(folders.exports, name, version)));
}

export function release({ doc }) {
  documents.delete(doc);
}

/** Makes the call that a record describes. */
export async function send(record, baseUrl) {
  let call;
  try {
    call = callOf(record, documents.get(record.doc));
  } catch (error) {
    if (error instanceof NotPossible) return { skip: error.message };
    throw error;
  }
  const { template, verb, query, headers, body, session } = call;
  const client = createClient({ baseUrl });
  const { response } = await client.request(verb, template, {
    params: { path: call.path, query },
    headers,
    body,
    ...(Buffer.isBuffer(body) ? { bodySerializer: (bytes) => bytes } : {}),
    parseAs: "stream",
  });
  await response.body?.cancel();
  if (session !== undefined) await sendContent(response, session);
  return undefined;
}
