import { orderedKeys } from "../../load/canonical.js";
import type { RawMethod, RawProtocol, RawSchema } from "../../load/raw.js";
import { byteSize } from "../infer/sizes.js";
import type {
  Download,
  Method,
  Mutable,
  Parameter,
  PathToken,
  Schema,
  Upload,
  UploadProtocol,
} from "../ir.js";
import { parseTemplate, variablesOf } from "../uri-template.js";
import {
  type BuildContext,
  child,
  type DocumentPath,
  pointerTo,
} from "./context.js";
import { checkMethod } from "./document-checks.js";
import { addExtensions } from "./extensions.js";
import { checkKeys } from "./keys.js";
import { buildParameter } from "./parameter.js";
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

/**
 * Builds the parameters of a method: first the declared parameters in the order
 * of the document, then undeclared path variables.
 */
function buildParameters(
  id: string,
  raw: RawMethod,
  tokens: readonly PathToken[],
  at: DocumentPath,
  context: BuildContext,
): Mutable<Parameter>[] {
  const declared = raw.parameters ?? {};
  const names = orderedKeys(declared, raw.parameterOrder);
  const parameters = names.map((name) =>
    buildParameter(
      id,
      name,
      declared[name]!,
      child(at, "parameters", name),
      context,
    ),
  );
  applyPathVariables(id, parameters, tokens, at, context);
  const byName = new Map(
    parameters.map((parameter) => [parameter.name, parameter]),
  );
  for (const [index, name] of (raw.parameterOrder ?? []).entries()) {
    const parameter = byName.get(name);
    if (parameter !== undefined)
      parameter.flags = { ...parameter.flags, required: { from: "document" } };
    else
      context.report(
        "parameter-undeclared",
        `${id}: parameterOrder contains ${JSON.stringify(name)}, which is not declared`,
        child(at, "parameterOrder", index),
      );
  }
  return parameters;
}

/**
 * Converts each parameter that is named like a path variable to a required path
 * parameter, even if the document declares it differently.
 */
function applyPathVariables(
  id: string,
  parameters: Mutable<Parameter>[],
  tokens: readonly PathToken[],
  at: DocumentPath,
  context: BuildContext,
): void {
  const variables = variablesOf(tokens);
  addUndeclared(id, parameters, variables, at, context);
  for (const parameter of parameters) {
    const { name, location, flags } = parameter;
    if (variables.path.includes(name)) {
      if (location !== "path")
        reportLocation(
          id,
          name,
          "query, but the path contains it",
          at,
          context,
        );
      parameter.location = "path";
      if (flags.required?.from !== "document")
        parameter.flags = { ...flags, required: { from: "rule" } };
    } else if (location === "path") {
      if (!variables.query.includes(name))
        reportLocation(
          id,
          name,
          "path, but the path does not contain it",
          at,
          context,
        );
      parameter.location = "query";
    }
  }
}

/** Adds a parameter for each path variable that is not declared. */
function addUndeclared(
  id: string,
  parameters: Mutable<Parameter>[],
  variables: ReturnType<typeof variablesOf>,
  at: DocumentPath,
  context: BuildContext,
): void {
  for (const location of ["path", "query"] as const) {
    for (const name of variables[location]) {
      if (parameters.some((parameter) => parameter.name === name)) continue;
      context.report(
        "parameter-undeclared",
        `${id}: the path contains the variable ${JSON.stringify(name)}, which is not declared`,
        child(at, "path"),
      );
      parameters.push(undeclaredParameter(name, location));
    }
  }
}

function reportLocation(
  id: string,
  name: string,
  mismatch: string,
  at: DocumentPath,
  context: BuildContext,
): void {
  context.report(
    "parameter-location",
    `${id}: ${name} has location ${mismatch}`,
    child(at, "parameters", name),
  );
}

function undeclaredParameter(
  name: string,
  location: Parameter["location"],
): Mutable<Parameter> {
  return {
    name,
    location,
    schema: { kind: "scalar", type: "string" },
    repeated: false,
    flags: { required: { from: "rule" } },
    constraints: {},
  };
}

/**
 * Copies the pattern of each path parameter to the path variable of the same
 * name. The patterns are needed to distinguish routes.
 */
function withPatterns(
  tokens: readonly PathToken[],
  parameters: readonly Parameter[],
): PathToken[] {
  const patterns = new Map(
    parameters.map((parameter) => [
      parameter.name,
      parameter.constraints.pattern,
    ]),
  );
  return tokens.map((token) => {
    const pattern = "name" in token ? patterns.get(token.name) : undefined;
    return pattern === undefined ? token : { ...token, pattern };
  });
}

/**
 * Builds the upload of a method from `mediaUpload`. Returns undefined if
 * `mediaUpload` is missing, even if `supportsMediaUpload` is set, because that
 * flag does not declare an upload protocol.
 */
function buildUpload(raw: RawMethod): Upload | undefined {
  if (raw.mediaUpload === undefined) return undefined;
  const { accept, maxSize, protocols } = raw.mediaUpload;
  const simple = buildProtocol(protocols?.simple);
  const resumable = buildProtocol(protocols?.resumable);
  const maxBytes = maxSize === undefined ? undefined : byteSize(maxSize);
  return {
    accept: [...(accept ?? [])],
    ...(maxSize === undefined ? {} : { maxSize }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(simple === undefined ? {} : { simple }),
    ...(resumable === undefined ? {} : { resumable }),
  };
}

function buildProtocol(
  raw: RawProtocol | undefined,
): UploadProtocol | undefined {
  return raw?.path === undefined
    ? undefined
    : { path: raw.path, multipart: raw.multipart === true };
}

/**
 * Builds the download of a method; undefined unless the method's content can be
 * requested with `alt=media`.
 */
function buildDownload(raw: RawMethod): Download | undefined {
  return raw.supportsMediaDownload === true
    ? { service: raw.useMediaDownloadService === true }
    : undefined;
}
