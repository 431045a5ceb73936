import type { Api, Definition, Method, Schema } from "../../model/ir.js";
import {
  forEachRef,
  forEachReference,
  methodsOf,
} from "../../model/queries.js";
import type { Data } from "../../render/typescript/literals.js";
import { isUpload } from "../client/features.js";
import { jsonData } from "../server/extensions.js";
import { definitionData, typeData } from "./types.js";

type Entries = { readonly [key: string]: Data | undefined };

/** What the checks have to know beyond the routes: schemas, and forms of calls. */
export function planData(api: Api, trustProse: boolean): Entries {
  const methods = methodsOf(api.root);
  return {
    definitions: Object.fromEntries(
      reached(api, methods).map((definition) => [
        definition.id,
        definitionData(definition, trustProse),
      ]),
    ),
    methods: Object.fromEntries(
      methods.map((method) => [method.id, methodData(method, trustProse)]),
    ),
  };
}

function methodData(method: Method, trustProse: boolean): Entries {
  const type = (schema: Schema | undefined): Data | undefined =>
    schema === undefined ? undefined : typeData(schema, {}, {}, trustProse);
  const { paging, upload, stream, request, response } = method;
  const { rawRequest, rawResponse } = method;
  return {
    request: rawRequest === true ? undefined : type(request),
    response: rawResponse === true ? undefined : type(response),
    rawRequest,
    rawResponse,
    paging:
      paging === undefined
        ? undefined
        : {
            token: paging.token,
            next: paging.next,
            items: paging.items?.field,
            inBody: paging.in === "body" || undefined,
          },
    upload: isUpload(upload) ? uploadData(method) : undefined,
    stream:
      stream === undefined
        ? undefined
        : {
            element: type(stream.element),
            when:
              stream.format === "events"
                ? jsonData(stream.when ?? {})
                : undefined,
          },
  };
}

function uploadData({ upload, request }: Method): Data {
  const { accept, simple } = upload!;
  const [first = "*/*"] = accept;
  return {
    kinds: [
      ...(simple === undefined ? [] : ["media"]),
      ...(simple?.multipart === true && request !== undefined
        ? ["multipart"]
        : []),
      "resumable",
    ],
    type: first === "*/*" ? TYPE : first.replace("/*", "/x-conformance"),
  };
}

const TYPE = "application/x-conformance";

/** The definitions that requests and responses are made of, in the document's order. */
function reached(api: Api, methods: readonly Method[]): Definition[] {
  const byId = new Map(
    api.definitions.map((definition) => [definition.id, definition]),
  );
  const found = new Set<string>();
  const add = (id: string): unknown => found.add(id);
  for (const { request, response, stream } of methods)
    for (const schema of [request, response, stream?.element])
      if (schema !== undefined) forEachRef(schema, add);
  // A set also yields what is added while it is walked.
  for (const id of found) forEachReference(byId.get(id), add);
  return api.definitions.filter(({ id }) => found.has(id));
}
