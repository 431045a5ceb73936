// Driver for ../shared/oracle/compare.mjs: makes the calls of the records with
// generated clients, which are JavaScript below --clients.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

let folders = { clients: "", docs: "" };

/** Clients by document and server. */
const clients = new Map();

/** Exports of the package of a document. */
const modules = new Map();

export function init({ docs, argv }) {
  folders = { clients: argv[argv.indexOf("--clients") + 1], docs };
}

/** Imports the package of a document before its first record. */
export async function open({ doc }) {
  const file = path.join(folders.docs, `${doc}.json`);
  const { name, version } = JSON.parse(readFileSync(file, "utf8"));
  const index = path.join(folders.clients, name, version, "index.js");
  modules.set(doc, await import(pathToFileURL(index).href));
}

export function release({ doc }) {
  modules.delete(doc);
  clients.clear();
}

/** Returns the client of a document for a server; keeps the path of rootUrl. */
function clientOf(doc, baseUrl) {
  const key = `${doc} ${baseUrl}`;
  if (!clients.has(key)) {
    const { service, ...rest } = modules.get(doc);
    const create = Object.entries(rest).find(
      ([name]) => name.startsWith("create") && name !== "createClient",
    )[1];
    const rootUrl = baseUrl + new URL(service.rootUrl).pathname;
    // The official clients send only a requestId that the caller sets, so the
    // random IDs of ours are switched off.
    clients.set(key, create({ rootUrl, requestIds: false }));
  }
  return clients.get(key);
}

/** Returns parameters by property; two wire names are reserved by the runtime. */
function parametersOf({ params, body, media }) {
  const parameters = {};
  for (const [name, value] of Object.entries(params))
    parameters[/^(requestBody|media)$/.test(name) ? `${name}_` : name] = value;
  if (body !== undefined) parameters.requestBody = body;
  if (media !== undefined)
    parameters.media = {
      mimeType: media.mimeType,
      body: Buffer.from(media.base64, "base64"),
    };
  return parameters;
}

/** Returns the upload options of a record. */
function optionsOf({ media }) {
  return { retry: false, ...(media && { upload: media.protocol }) };
}

/** Makes the call that a record describes. */
export async function send(record, baseUrl) {
  const names = record.id.slice(0, record.id.indexOf("#")).split(".");
  let target = clientOf(record.doc, baseUrl);
  for (const name of names) target = target[name];
  const call = target(parametersOf(record), optionsOf(record));
  if (record.download) {
    await (await call.media()).bytes();
  } else if (record.next) {
    if (typeof call.pages !== "function") {
      await call;
      return { skip: `no pages(): ${record.methodId}` };
    }
    let pages = 0;
    for await (const _ of call.pages()) if (++pages === 2) break;
  } else {
    await call;
  }
  return undefined;
}
