// Maps the records of ../shared/oracle to operations of an exported OpenAPI
// document. All that it knows of an API is in that document.
import { readFileSync } from "node:fs";
import path from "node:path";

/** Reads the operations of a document, by method id and kind of request. */
export function openDocument(folder) {
  const file = path.join(folder, "openapi.json");
  const document = JSON.parse(readFileSync(file, "utf8"));
  const operations = new Map();
  for (const [template, item] of Object.entries(document.paths))
    for (const [verb, operation] of Object.entries(item))
      if (operation.operationId !== undefined) {
        const id = operation["x-discovery-id"] ?? operation.operationId;
        const isUpload = operation.parameters?.some(
          ({ name, required }) => name === "uploadType" && required,
        );
        const key = `${isUpload ? "upload" : "call"} ${id}`;
        operations.set(key, { template, verb, operation });
      }
  return { document, operations };
}

/** Reasons why a call can't be made from the exported document. */
export class NotPossible extends Error {}

/** Returns path, query, headers and body of a record's request. */
export function callOf(record, { document, operations }) {
  const kind = record.kind === "media" ? "upload" : "call";
  const target = operations.get(`${kind} ${record.methodId}`);
  if (target === undefined) throw new Error(`no operation ${record.methodId}`);
  const call = { ...target, path: {}, query: {}, headers: {} };
  const composed = target.operation["x-discovery-path-parameters"] ?? {};
  const inPath = new Map(
    (target.operation.parameters ?? [])
      .filter((parameter) => parameter.in === "path")
      .map((each) => [each["x-discovery-name"] ?? each.name, each.name]),
  );
  for (const [name, value] of Object.entries(record.params))
    if (Object.hasOwn(composed, name))
      Object.assign(call.path, segmentsOf(String(value), composed[name]));
    else if (inPath.has(name)) call.path[inPath.get(name)] = value;
    else call.query[name] = value;
  if (record.download) call.query.alt = "media";
  if (record.next?.in === "query")
    call.query[record.next.requestField] = record.next.token;
  const body =
    record.next?.in === "body"
      ? { ...record.body, [record.next.requestField]: record.next.token }
      : record.body;
  const isWrapped =
    document.info["x-discovery-features"]?.includes("dataWrapper");
  if (body !== undefined) call.body = isWrapped ? { data: body } : body;
  if (record.media !== undefined) Object.assign(call, mediaOf(record, call));
  else if (body !== undefined && isContent(target.operation)) {
    // Content of any media type: the caller chooses the type and sends bytes.
    call.headers = { "content-type": "application/json" };
    call.body = Buffer.from(JSON.stringify(call.body));
  }
  return call;
}

function isContent({ requestBody }) {
  return Object.keys(requestBody?.content ?? {}).join() === "*/*";
}

/** Splits a value into the variables of a path. */
function segmentsOf(value, { template }) {
  const names = [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
  const source = template
    .split(/\{[^{}]+\}/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("([^/]+)");
  const match = new RegExp(`^${source}$`, "s").exec(value);
  if (match === null)
    throw new NotPossible(`the value does not have the segments of the path`);
  return Object.fromEntries(names.map((name, at) => [name, match[at + 1]]));
}

const BOUNDARY = "=====boundary==";

/** Returns query, headers and body of an upload. */
function mediaOf({ media }, { query, body }) {
  const { protocol, mimeType, base64 } = media;
  const bytes = Buffer.from(base64, "base64");
  const all = { ...query, uploadType: protocol };
  if (protocol === "media")
    return { query: all, headers: { "content-type": mimeType }, body: bytes };
  if (protocol === "resumable")
    return {
      query: all,
      headers: {
        "x-upload-content-type": mimeType,
        "x-upload-content-length": String(bytes.length),
      },
      body,
      session: bytes,
    };
  const head = (type) => `--${BOUNDARY}\r\ncontent-type: ${type}\r\n\r\n`;
  return {
    query: all,
    headers: { "content-type": `multipart/related; boundary="${BOUNDARY}"` },
    body: Buffer.concat([
      Buffer.from(head("application/json") + JSON.stringify(body ?? {})),
      Buffer.from(`\r\n${head(mimeType)}`),
      bytes,
      Buffer.from(`\r\n--${BOUNDARY}--`),
    ]),
  };
}

/** Sends the content of a resumable upload to the URL of its session. */
export async function sendContent(response, bytes) {
  const session = response.headers.get("location");
  const end = bytes.length;
  await fetch(session, {
    method: "PUT",
    headers: { "content-range": `bytes 0-${end - 1}/${end}` },
    body: bytes,
  });
}
