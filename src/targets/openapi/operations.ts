import type { Api, Method, Parameter } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";
import {
  type Json,
  jsonMembers,
  jsonObject,
  type JsonObject,
  toJson,
  unlessEmpty,
} from "../json-schema/json.js";
import type { OpenapiContext } from "./context.js";
import { operationParameters } from "./parameters.js";
import type { NamedRequest } from "./path-groups.js";
import { type PathVariable, printPath, variablesIn } from "./path-templates.js";
import { requestBody, uploadBody } from "./request-body.js";
import { responses } from "./responses.js";
import { securityOf } from "./security.js";

/** Maximum number of characters of an operation's summary. */
const MAX_SUMMARY = 120;

/**
 * Prints operations, and assigns operation ids that are unique in the document.
 */
export class OperationPrinter {
  readonly #ids = new NameScope(Object.getOwnPropertyNames(Object.prototype));

  readonly #sdkNames = new SdkNames();

  constructor(private readonly context: OpenapiContext) {}

  /** Returns the OpenAPI operation for a request. */
  print(request: NamedRequest): JsonObject {
    const { method, kind, resource } = request;
    const { parameters, extensions } = operationParameters(
      request,
      this.context,
    );
    const isUpload = kind === "upload";
    const operationId = this.#id(request);
    const { description } = method;
    const all = isUpload
      ? withUploadType(parameters, method)
      : withMedia(parameters, method, this.context);
    return jsonObject({
      tags: [tagOf(resource.path, this.context.api.name)],
      summary: summaryOf(method, isUpload),
      description,
      operationId,
      parameters: all.length === 0 ? undefined : all,
      requestBody: isUpload
        ? uploadBody(method, this.context)
        : requestBody(method, this.context),
      responses: responses(request, this.context),
      deprecated: method.deprecated,
      security: securityOf(method, this.context),
      servers: isUpload ? uploadServers(this.context.api) : undefined,
      "x-discovery-id": operationId === method.id ? undefined : method.id,
      ...this.#sdkNames.extensions(request),
      ...pathExtensions(request),
      ...extensions,
      ...(isUpload
        ? uploadExtensions(method)
        : { ...methodExtensions(method), ...sequenceExtensions(method) }),
    });
  }

  #id({ method, kind }: NamedRequest): string {
    const id = kind === "upload" ? `${method.id}.upload` : method.id;
    const name = this.#ids.reserve(id.replace(/[^\w.-]/g, "_") || "_");
    if (name !== id)
      this.context.sink.report(
        "export-renamed",
        `method ${JSON.stringify(id)} has the operationId ${name}`,
        method.pointer,
      );
    return name;
  }
}

/**
 * Returns the tag for the methods of a resource: the dotted path of the
 * resource, or the name of the API for methods outside of resources.
 */
export function tagOf(path: readonly string[], name: string): string {
  return path.length === 0 ? name : path.join(".");
}

/**
 * Returns the first sentence of a method's description; if there is none, the
 * method id.
 */
function summaryOf(
  { description = "", id }: Method,
  isUpload: boolean,
): string {
  const [line = ""] = description.trim().split("\n");
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line.slice(0, 2_000))?.[0] ?? line;
  const text = sentence.trim() === "" ? id : sentence.trim();
  const short =
    text.length > MAX_SUMMARY
      ? `${text.slice(0, MAX_SUMMARY - 1).trimEnd()}…`
      : text;
  return isUpload ? `Upload: ${short}` : short;
}

/**
 * Returns extensions that contain the path template from the document, if the
 * OpenAPI path differs from it.
 */
function pathExtensions({
  method,
  template,
  variables,
}: NamedRequest): JsonObject {
  const declared = variablesIn(template);
  const nameOf = (variable: PathVariable): string =>
    variables[declared.indexOf(variable)]!.name;
  const patterns = new Map(
    method.parameters.map(({ name, constraints }) => [
      name,
      constraints.pattern,
    ]),
  );
  const composed = jsonMembers(
    [...template.values].map(([name, parts]) => [
      name,
      jsonObject({
        template: printPath({ parts }, nameOf),
        pattern: patterns.get(name),
      }),
    ]),
  );
  const isChanged = Object.keys(composed).length > 0;
  return jsonObject({
    "x-discovery-path":
      isChanged || template.dropped !== undefined ? method.path : undefined,
    "x-discovery-path-parameters": unlessEmpty(composed),
  });
}

function methodExtensions(
  method: Method,
): Readonly<Record<string, Json | undefined>> {
  const { download, supportsSubscription, bodyParameters, upload } = method;
  return {
    "x-discovery-download": download && { service: download.service },
    "x-discovery-upload": upload && toJson(upload),
    "x-discovery-supports-subscription": supportsSubscription,
    "x-discovery-body-parameters": bodyParameters && [...bodyParameters],
  };
}

function uploadExtensions({
  upload,
}: Method): Readonly<Record<string, Json | undefined>> {
  return { "x-discovery-upload": toJson(upload) };
}

/**
 * Adds the value `media` to the `alt` parameter, because some documents do not
 * list it.
 */
function withMedia(
  parameters: readonly JsonObject[],
  { parameters: declared, download }: Method,
  { api }: OpenapiContext,
): readonly JsonObject[] {
  const isAlt = ({ name }: Parameter): boolean => name === "alt";
  const alt = declared.find(isAlt) ?? api.parameters.find(isAlt);
  const values = alt?.schema.kind === "enum" ? alt.schema.values : [];
  const isListed = values.some(({ value }) => value === "media");
  const isText = alt !== undefined && alt.schema.kind !== "enum";
  if (download === undefined || isListed || isText) return parameters;
  const others = parameters.filter(
    (parameter) => parameter["in"] !== "query" || parameter["name"] !== "alt",
  );
  const description = "Format of the response; `media` requests the content.";
  const list = [...values.map(({ value }) => value), "media"];
  const schema = { type: "string", enum: list };
  return [...others, { name: "alt", in: "query", description, schema }];
}

/** Adds the parameter that selects the upload protocol. */
function withUploadType(
  parameters: readonly JsonObject[],
  method: Method,
): JsonObject[] {
  const others = parameters.filter(
    (parameter) =>
      parameter["in"] !== "query" || parameter["name"] !== "uploadType",
  );
  return [...others, uploadType(method)];
}

function uploadType({ upload, request }: Method): JsonObject {
  const { simple, resumable } = upload!;
  const hasParts = simple?.multipart === true && request !== undefined;
  return {
    name: "uploadType",
    in: "query",
    description:
      "Protocol of the upload: `media` for content, `multipart` for metadata and content in one request, `resumable` for several requests.",
    required: true,
    schema: {
      type: "string",
      enum: [
        ...(simple === undefined ? [] : ["media"]),
        ...(hasParts ? ["multipart"] : []),
        ...(resumable === undefined ? [] : ["resumable"]),
      ],
    },
  };
}

/**
 * Returns the servers of an API: first rootUrl, then the regional endpoints,
 * then the endpoint for mutual TLS. The servers do not include servicePath; it
 * is part of the paths instead, because upload paths do not contain it and many
 * generators ignore servers that are declared for individual paths.
 */
export function serversOf({
  rootUrl,
  endpoints,
  mtlsRootUrl,
}: Api): JsonObject[] {
  const servers = [
    { url: serverUrl(rootUrl) },
    ...endpoints.map(({ url, location, description, deprecated }) =>
      jsonObject({
        url: serverUrl(url),
        description: description ?? location,
        "x-discovery-location": location,
        "x-discovery-deprecated": deprecated,
      }),
    ),
  ];
  if (mtlsRootUrl !== undefined)
    servers.push({ url: serverUrl(mtlsRootUrl), description: "Mutual TLS." });
  return servers;
}

/**
 * Returns a URL without trailing slashes. Braces are percent-encoded, because
 * they would delimit a variable.
 */
function serverUrl(url: string): string {
  const bare = url.replace(/[{}]/g, encodeURIComponent);
  let end = bare.length;
  while (end > 0 && bare[end - 1] === "/") end--;
  return bare.slice(0, end);
}

/**
 * Returns the server for uploads, which is the origin of rootUrl; undefined if
 * rootUrl has no path, because uploads then use the same server as all other
 * requests.
 */
function uploadServers({ rootUrl }: Api): JsonObject[] | undefined {
  if (!URL.canParse(rootUrl)) return undefined;
  const { origin, pathname } = new URL(rootUrl);
  return pathname === "/" || origin === "null" ? undefined : [{ url: origin }];
}

/**
 * Returns the extensions that describe pagination, long-running operations and
 * streams: extensions of this generator, and extensions that Speakeasy and Fern
 * support.
 */
function sequenceExtensions(method: Method): JsonObject {
  const { operation, stream, links } = method;
  return jsonObject({
    ...tokenExtensions(method),
    "x-discovery-links": links && {
      page: links.page,
      size: links.size,
      link: links.link,
    },
    "x-discovery-operation":
      operation &&
      jsonObject({
        style: operation.style,
        poll: operation.poll && toJson(operation.poll),
        result:
          operation.result?.kind === "ref" ? operation.result.id : undefined,
      }),
    "x-discovery-stream":
      stream &&
      jsonObject({
        format: stream.format,
        when: stream.when && toJson(stream.when),
        end: stream.end,
      }),
  });
}

function tokenExtensions({
  paging,
}: Method): Readonly<Record<string, JsonObject>> {
  if (paging === undefined) return {};
  const { token, next, items, others } = paging;
  const isList = items !== undefined && !items.isMap;
  const inBody = paging.in === "body";
  return {
    "x-discovery-paging": jsonObject({
      token,
      in: paging.in,
      next,
      items: items?.field,
      isMap: items?.isMap || undefined,
      others: others.length === 0 ? undefined : [...others],
    }),
    "x-speakeasy-pagination": {
      type: "cursor",
      inputs: [
        {
          name: token,
          in: inBody ? "requestBody" : "parameters",
          type: "cursor",
        },
      ],
      outputs: jsonObject({
        nextCursor: jsonPath(next),
        results: isList ? jsonPath(items.field) : undefined,
      }),
    },
    ...(isList
      ? {
          "x-fern-pagination": {
            cursor: `$request.${token}`,
            next_cursor: `$response.${next}`,
            results: `$response.${items.field}`,
          },
        }
      : {}),
  };
}

/** Returns the JSONPath expression for a member (RFC 9535). */
function jsonPath(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name)
    ? `$.${name}`
    : `$[${JSON.stringify(name)}]`;
}

/**
 * Names of operations in the SDKs that Speakeasy and Fern generate. They are
 * the names of the resources and methods, so that calls in these SDKs have a
 * form such as `drive.files.list()`.
 */
class SdkNames {
  // Names are unique in each group, because Speakeasy and Fern reject two
  // methods with the same name in a group.
  readonly #names = new NameScope();

  /**
   * Returns the extensions that contain the group and the name of an operation.
   */
  extensions({ method, kind, resource }: NamedRequest): JsonObject {
    const group = resource.path.map(segment);
    const preferred = kind === "upload" ? `${method.name}Upload` : method.name;
    const prefix = group.map((name) => `${name}.`).join("");
    const name = this.#names
      .reserve(`${prefix}${segment(preferred)}`)
      .slice(prefix.length);
    // In Speakeasy's extension, nested groups are separated by dots; in Fern's,
    // they are a list. A method without a group becomes a method of the SDK's
    // client.
    const hasGroup = group.length > 0;
    return jsonObject({
      "x-speakeasy-group": hasGroup ? group.join(".") : undefined,
      "x-speakeasy-name-override": name,
      "x-fern-sdk-group-name": hasGroup ? group : undefined,
      "x-fern-sdk-method-name": name,
    });
  }
}

/** Replaces characters that are not allowed in identifiers. */
function segment(name: string): string {
  return name.replace(/\W/g, "_").replace(/^(?=\d|$)/, "_");
}
