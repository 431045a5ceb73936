// Driver for ../shared/oracle/compare.mjs: makes the calls of the records with
// clients that Hey API generated from the exported documents (hey-api.mjs).
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { callOf, NotPossible, openDocument, sendContent } from "./calls.mjs";

let folders;
const apis = new Map();

export function init({ docs, argv }) {
  const option = (name) => argv[argv.indexOf(name) + 1];
  const [exports, clients] = [option("--exports"), option("--clients")];
  folders = { docs, exports, clients };
}

export async function open({ doc }) {
  const file = path.join(folders.docs, `${doc}.json`);
  const { name, version } = JSON.parse(readFileSync(file, "utf8"));
  const api = `${name}/${version}`;
  const url = pathToFileURL(path.join(folders.clients, "js", `${api}.mjs`));
  const source = path.join(folders.clients, "ts", api, "sdk.gen.ts");
  apis.set(doc, {
    exported: openDocument(path.join(folders.exports, api)),
    module: await import(url.href),
    functions: functionsIn(readFileSync(source, "utf8")),
  });
}

export function release({ doc }) {
  apis.delete(doc);
}

/** Returns the names of the functions by verb and path. */
function functionsIn(text) {
  const pattern =
    /^export const (\w+) = .*?\.(get|put|post|delete|patch)<.*?\n    url: '(.*?)',?$/gms;
  return new Map(
    [...text.matchAll(pattern)].map(([, name, verb, url]) => [
      `${verb} ${url}`,
      name,
    ]),
  );
}

/** Makes the call that a record describes. */
export async function send(record, baseUrl) {
  const { exported, module, functions } = apis.get(record.doc);
  let call;
  try {
    call = callOf(record, exported);
  } catch (error) {
    if (error instanceof NotPossible) return { skip: error.message };
    throw error;
  }
  const { template, verb, path: values, query, body, session } = call;
  const name = functions.get(`${verb} ${template}`);
  if (name === undefined) throw new Error(`no function ${verb} ${template}`);
  const { response } = await module[name]({
    baseUrl,
    path: values,
    query,
    headers: call.headers,
    body,
    ...(Buffer.isBuffer(body) ? { bodySerializer: null } : {}),
    parseAs: "stream",
    throwOnError: true,
  });
  await response.body?.cancel();
  if (session !== undefined) await sendContent(response, session);
  return undefined;
}
