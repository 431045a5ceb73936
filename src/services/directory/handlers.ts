import type { RestDescription } from "../../../generated/discovery/v1/schemas.js";
import type { DiscoveryService } from "../../../generated/discovery/v1/server.js";
import {
  ApiError,
  content,
  type ServerRequest,
} from "../../../generated/runtime/server/index.js";
import { OWN_ID, type Catalogue } from "./catalogue.js";
import type { DirectoryConfig } from "./config.js";
import { atOrigin, partOf } from "./document-fields.js";
import { listOf } from "./list.js";
import { PlainRequest } from "./unconditional-request.js";
import { JSON_TYPE } from "./representation.js";
import { StoredBody } from "./compressed-body.js";

/** The handlers of the generated server. Origins are those that `originOf` gives. */
export function handlers(
  catalogue: Catalogue,
  config: DirectoryConfig,
  originOf: (request: ServerRequest) => string,
): DiscoveryService {
  return {
    apis: {
      list: ({ params, request }) =>
        listOf(catalogue.facts, originOf(request), params),
      async getRest({ params, request }) {
        const { api, version, fields } = params;
        const id = `${api}:${version}`;
        const body = await readAt(catalogue, config, id, originOf(request));
        if (body === undefined) throw notFound(api, version);
        const isPlain = fields === undefined && !asksForForm(request.target);
        if (!isPlain)
          return partOf(await bytesOf(body), fields) as RestDescription;
        offer(request, body);
        // The file's own bytes: the runtime sends content as it is, whatever the type says.
        return content({
          body,
          contentType: JSON_TYPE,
        }) as unknown as RestDescription;
      },
    },
  };
}

/** Tells the front of packed bytes; of the answer it sees no more than a stream. */
function offer(request: ServerRequest, body: Buffer | StoredBody): void {
  if (request instanceof PlainRequest && body instanceof StoredBody)
    request.stored = body;
}

/** A document as it is served: the directory's own always tells where it is. */
export async function readAt(
  catalogue: Catalogue,
  { rootUrl }: DirectoryConfig,
  id: string,
  origin: string,
): Promise<Buffer | StoredBody | undefined> {
  const body = await catalogue.read(id);
  if (body === undefined) return undefined;
  return id === OWN_ID || rootUrl === "origin"
    ? atOrigin(await bytesOf(body), origin)
    : body;
}

/** The bytes of a document, wherever they lie. */
export async function bytesOf(body: Buffer | StoredBody): Promise<Buffer> {
  return body instanceof StoredBody ? body.read() : body;
}

/** Whether the white space is to be otherwise than in the file. */
function asksForForm(target: string): boolean {
  return /[?&]prettyPrint=/.test(target);
}

function notFound(api: string, version: string): ApiError {
  const name = JSON.stringify(`${api}:${version}`.slice(0, 200));
  return new ApiError(404, `The directory has no API ${name}.`, {
    reason: "notFound",
  });
}
