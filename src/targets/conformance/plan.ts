import { eventStream, hasUploadProtocol } from "../../model/bodies.js";
import { forEachRef, reachable } from "../../model/queries.js";
import type { Definition, Method, Schema } from "../../model/ir.js";
import type { Data } from "../../render/typescript/literals.js";
import type { ApiContext } from "../shared/api-context.js";
import { type Entries, jsonData } from "../shared/entries.js";
import { definitionData, typeData } from "./types.js";

/**
 * Returns the members of the test plan. The plan contains data that is not in
 * the route table: schemas, bodies, pagination, uploads and streams.
 */
export function planData(context: ApiContext): Entries {
  const { methods, options } = context;
  const { trustProse } = options;
  return {
    definitions: Object.fromEntries(
      bodyDefinitions(context).map((definition) => [
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
  const events = eventStream(method);
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
    upload: hasUploadProtocol(upload) ? uploadData(method) : undefined,
    stream:
      stream === undefined
        ? undefined
        : {
            element: type(stream.element),
            when: events && jsonData(events.when ?? {}),
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

/**
 * Returns the definitions that requests and responses use, in the order of the
 * document.
 */
function bodyDefinitions({
  api,
  methods,
  definitions,
}: ApiContext): Definition[] {
  const ids = new Set<string>();
  for (const { request, response, stream } of methods)
    for (const schema of [request, response, stream?.element])
      if (schema !== undefined) forEachRef(schema, (id) => ids.add(id));
  reachable(ids, definitions);
  return api.definitions.filter(({ id }) => ids.has(id));
}
