import type { RawMethod, RawSchema } from "../../load/raw.js";
import type { Mutable, Method, Schema } from "../ir.js";
import { buildDownload, buildUpload } from "./media.js";
import { parseTemplate } from "../uri-template.js";
import { checkMethod } from "./document-checks.js";
import {
  child,
  pointerTo,
  type DocumentPath,
  type BuildContext,
} from "./context.js";
import { addExtensions } from "./extensions.js";
import { checkKeys } from "./keys.js";
import { buildParameters, withPatterns } from "./method-parameters.js";
import { buildNode } from "./schema.js";

/** Pattern that matches HTTP tokens (RFC 9110 §5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Builds a method. If the method can't be called, reports it and returns
 * undefined.
 */
export function buildMethod(
  fallbackId: string,
  name: string,
  raw: RawMethod,
  at: DocumentPath,
  context: BuildContext,
): Mutable<Method> | undefined {
  checkKeys("method", raw, at, context);
  const declared = raw.path ?? raw.flatPath;
  if (declared === undefined) {
    context.report(
      "method-undefined",
      `method ${raw.id ?? fallbackId} has no path`,
      at,
    );
    return undefined;
  }
  const id = raw.id ?? fallbackId;
  if (!checkPaths(id, raw, at, context)) return undefined;
  const { text: path, tokens } = parseTemplate(declared);
  if (path !== declared)
    context.report(
      "path-invalid",
      `${id}: ${JSON.stringify(declared)} is not a URI template`,
      child(at, "path"),
    );
  const parameters = buildParameters(id, raw, tokens, at, context);
  const method: Mutable<Method> = {
    id,
    name,
    pointer: pointerTo(at),
    httpMethod: httpMethod(id, raw, at, context),
    path,
    tokens: withPatterns(tokens, parameters),
    parameters,
    scopes: [...(raw.scopes ?? [])],
  };
  copyFields(method, raw, context);
  checkMethod(raw, method.upload?.maxBytes !== undefined, at, context);
  addBodies(method, raw, at, context);
  addExtensions(method, raw, context.extensions, at, context);
  return method;
}

/**
 * Reports paths with too many segments. Returns true if all paths are valid.
 */
function checkPaths(
  id: string,
  raw: RawMethod,
  at: DocumentPath,
  context: BuildContext,
): boolean {
  const keys = ["path", "flatPath"] as const;
  const tooLong = keys.filter((key) => segmentsOf(raw[key]) > MAX_SEGMENTS);
  for (const key of tooLong)
    context.report(
      "path-limit",
      `${key} of ${id} must have at most ${MAX_SEGMENTS} segments, found ${segmentsOf(raw[key])}`,
      child(at, key),
    );
  return tooLong.length === 0;
}

/**
 * Maximum number of segments of a path. The limit exists because a server's
 * router has a node for each segment.
 */
const MAX_SEGMENTS = 1_000;

function segmentsOf(path: string = ""): number {
  return path.split("/").length;
}

function copyFields(
  method: Mutable<Method>,
  raw: RawMethod,
  context: BuildContext,
): void {
  if (raw.flatPath !== undefined) method.flatPath = raw.flatPath;
  if (raw.description !== undefined)
    method.description = context.prose(raw.description);
  if (raw.deprecated === true) method.deprecated = true;
  if (raw.apiVersion !== undefined) method.apiVersion = raw.apiVersion;
  if (raw.supportsSubscription === true) method.supportsSubscription = true;
  const upload = buildUpload(raw);
  const download = buildDownload(raw);
  if (upload !== undefined) method.upload = upload;
  if (download !== undefined) method.download = download;
}

function addBodies(
  method: Mutable<Method>,
  raw: RawMethod,
  at: DocumentPath,
  context: BuildContext,
): void {
  const request = buildBody(method.id, "request", raw.request, at, context);
  const response = buildBody(method.id, "response", raw.response, at, context);
  if (request !== undefined) method.request = request;
  if (response !== undefined) method.response = response;
}

/**
 * Builds the schema of a body. The format allows only `$ref`, but published
 * documents also contain inline schemas.
 */
function buildBody(
  id: string,
  field: string,
  raw: RawSchema | undefined,
  at: DocumentPath,
  context: BuildContext,
): Schema | undefined {
  if (
    raw === undefined ||
    Object.keys(raw).every((key) => key === "parameterName")
  )
    return undefined;
  const bodyPath = child(at, field);
  const { parameterName: _, ...schema } = raw as RawSchema & {
    parameterName?: string;
  };
  checkKeys("schema", schema, bodyPath, context);
  return buildNode(schema, bodyPath, context, { id, field, depth: 0 });
}

function httpMethod(
  id: string,
  raw: RawMethod,
  at: DocumentPath,
  context: BuildContext,
): string {
  const name = raw.httpMethod?.toUpperCase() ?? "";
  if (TOKEN.test(name)) return name;
  context.report(
    "method-http",
    `${id}: httpMethod must be an HTTP method, found ${JSON.stringify(raw.httpMethod ?? null)}`,
    child(at, "httpMethod"),
  );
  return "GET";
}
