import type { RestDescription } from "../../../generated/discovery/v1/schemas.js";
import type { DiscoveryService } from "../../../generated/discovery/v1/server.js";
import {
  ApiError,
  content,
  type ServerRequest,
} from "../../../generated/runtime/server/index.js";
import { parseFields } from "../../../generated/runtime/server/responses/fields.js";
import { type JsonView, viewOf } from "../../site/json-view.js";
import { type Catalogue, DIRECTORY_ID } from "./catalogue.js";
import { CompressedBody } from "./compressed-body.js";
import type { DirectoryConfig } from "./config.js";
import { listOf } from "./list.js";
import { JSON_TYPE } from "./representation.js";
import { UnconditionalRequest } from "./unconditional-request.js";

/** Returns the method handlers of the generated server. */
export function handlers(
  catalogue: Catalogue,
  config: DirectoryConfig,
  originOf: (request: ServerRequest) => string,
): DiscoveryService {
  return {
    apis: {
      list: ({ params, request }) =>
        listOf(catalogue.summaries, originOf(request), params),
      async getRest({ params, request }) {
        const { api, version, fields } = params;
        const id = `${api}:${version}`;
        const body = await readDocument(
          catalogue,
          config,
          id,
          originOf(request),
        );
        if (body === undefined) throw notFound(api, version);
        const isUnmodified =
          fields === undefined && !hasPrettyPrint(request.target);
        if (!isUnmodified)
          return selectFields(await bytesOf(body), fields) as RestDescription;
        offerCompressed(request, body);
        // The runtime does not serialize a result that is wrapped with
        // `content`, so the bytes of the file are sent unchanged.
        return content({
          body,
          contentType: JSON_TYPE,
        }) as unknown as RestDescription;
      },
    },
  };
}

/**
 * Passes compressed bytes to the response cache. Otherwise, the cache would
 * receive only a stream.
 */
function offerCompressed(
  request: ServerRequest,
  body: Buffer | CompressedBody,
): void {
  if (request instanceof UnconditionalRequest && body instanceof CompressedBody)
    request.compressedBody = body;
}

/**
 * Reads a document. Replaces its URLs with URLs of the given origin if the
 * config requires it. In the description of the directory's own API, URLs are
 * always replaced.
 */
export async function readDocument(
  catalogue: Catalogue,
  { rootUrl }: DirectoryConfig,
  id: string,
  origin: string,
): Promise<Buffer | CompressedBody | undefined> {
  const body = await catalogue.read(id);
  if (body === undefined) return undefined;
  return id === DIRECTORY_ID || rootUrl === "origin"
    ? withOrigin(await bytesOf(body), origin)
    : body;
}

/** Returns the decompressed bytes of a document. */
export async function bytesOf(body: Buffer | CompressedBody): Promise<Buffer> {
  return body instanceof CompressedBody ? body.read() : body;
}

/**
 * Tests whether `prettyPrint` is set. If it is set, the white space of the
 * response can differ from that of the file.
 */
function hasPrettyPrint(target: string): boolean {
  return /[?&]prettyPrint=/.test(target);
}

function notFound(api: string, version: string): ApiError {
  const name = JSON.stringify(`${api}:${version}`.slice(0, 200));
  return new ApiError(404, `The directory contains no API ${name}.`, {
    reason: "notFound",
  });
}

/**
 * Replaces `rootUrl` and `baseUrl` in a document with URLs of the given origin.
 * All other bytes are unchanged, so the order of members, the notation of
 * numbers and unknown members are preserved.
 */
function withOrigin(bytes: Buffer, origin: string): Buffer {
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
function selectFields(bytes: Buffer, fields: string | undefined): object {
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
