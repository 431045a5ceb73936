import { orderedKeys } from "../../load/canonical.js";
import type { RawMethod, RawSchema } from "../../load/raw.js";
import type {
  Mutable,
  MutableField,
  Method,
  Parameter,
  PathToken,
  Schema,
} from "../ir.js";
import { buildDownload, buildUpload } from "../infer/media.js";
import { parseTemplate, variablesOf } from "../uri-template.js";
import { checkMethod } from "../infer/document-checks.js";
import {
  child,
  pointerTo,
  type DocumentPath,
  type BuildContext,
} from "./context.js";
import { addExtensions } from "./extensions.js";
import { checkKeys } from "./keys.js";
import { buildParameter } from "./parameter.js";
import { buildNode } from "./schema.js";

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** One method; undefined, with a diagnostic, where it can't be called at all. */
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
      `${id}: ${JSON.stringify(declared)} is no URI template`,
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
  copyStatements(method, raw, context);
  checkMethod(raw, method.upload?.maxBytes !== undefined, at, context);
  addBodies(method, raw, at, context);
  addExtensions(method, raw, context.extensions, at, context);
  return method;
}

/** Reports a path of more segments than any URL has; returns false if there is one. */
function checkPaths(
  id: string,
  raw: RawMethod,
  at: DocumentPath,
  context: BuildContext,
): boolean {
  const keys = ["path", "flatPath"] as const;
  const wrong = keys.filter((key) => segmentsOf(raw[key]) > MAX_SEGMENTS);
  for (const key of wrong)
    context.report(
      "path-limit",
      `${key} of ${id} must have at most ${MAX_SEGMENTS} segments, found ${segmentsOf(raw[key])}`,
      child(at, key),
    );
  return wrong.length === 0;
}

/** Most segments of a path: a server makes a node for each. */
const MAX_SEGMENTS = 1_000;

function segmentsOf(path: string = ""): number {
  return path.split("/").length;
}

function copyStatements(
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

/** A body is a $ref by the book, and any inline schema in real documents. */
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
  const place = child(at, field);
  const { parameterName: _, ...schema } = raw as RawSchema & {
    parameterName?: string;
  };
  checkKeys("schema", schema, place, context);
  return buildNode(schema, place, context, { id, field, depth: 0 });
}

function httpMethod(
  id: string,
  raw: RawMethod,
  at: DocumentPath,
  context: BuildContext,
): string {
  const verb = raw.httpMethod?.toUpperCase() ?? "";
  if (TOKEN.test(verb)) return verb;
  context.report(
    "method-http",
    `${id} has httpMethod ${JSON.stringify(raw.httpMethod ?? null)}`,
    child(at, "httpMethod"),
  );
  return "GET";
}

function buildParameters(
  id: string,
  raw: RawMethod,
  tokens: readonly PathToken[],
  at: DocumentPath,
  context: BuildContext,
): MutableField<Parameter>[] {
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
  placeInPath(id, parameters, tokens, at, context);
  const byName = new Map(
    parameters.map((parameter) => [parameter.name, parameter]),
  );
  for (const [index, name] of (raw.parameterOrder ?? []).entries()) {
    const parameter = byName.get(name);
    if (parameter !== undefined)
      parameter.flags.required = { from: "document" };
    else
      context.report(
        "parameter-undeclared",
        `${id}: parameterOrder names ${JSON.stringify(name)}, which is not declared`,
        child(at, "parameterOrder", index),
      );
  }
  return parameters;
}

/** What stands in the path is required and sent there, whatever is declared. */
function placeInPath(
  id: string,
  parameters: MutableField<Parameter>[],
  tokens: readonly PathToken[],
  at: DocumentPath,
  context: BuildContext,
): void {
  const variables = variablesOf(tokens);
  declareAll(id, parameters, variables, at, context);
  for (const parameter of parameters) {
    const { name, location, flags } = parameter;
    if (variables.path.includes(name)) {
      if (location !== "path")
        misplaced(id, name, "query, but stands in the path", at, context);
      parameter.location = "path";
      if (flags.required?.from !== "document")
        flags.required = { from: "rule" };
    } else if (location === "path") {
      if (!variables.query.includes(name))
        misplaced(id, name, "path, but does not stand in it", at, context);
      parameter.location = "query";
    }
  }
}

/** Adds the variables that the path has and the parameters lack. */
function declareAll(
  id: string,
  parameters: MutableField<Parameter>[],
  variables: ReturnType<typeof variablesOf>,
  at: DocumentPath,
  context: BuildContext,
): void {
  for (const location of ["path", "query"] as const) {
    for (const name of variables[location]) {
      if (parameters.some((parameter) => parameter.name === name)) continue;
      context.report(
        "parameter-undeclared",
        `${id}: the path names ${JSON.stringify(name)}, which is not declared`,
        child(at, "path"),
      );
      parameters.push(undeclared(name, location));
    }
  }
}

function misplaced(
  id: string,
  name: string,
  how: string,
  at: DocumentPath,
  context: BuildContext,
): void {
  context.report(
    "parameter-location",
    `${id}: ${name} has location ${how}`,
    child(at, "parameters", name),
  );
}

function undeclared(
  name: string,
  location: Parameter["location"],
): MutableField<Parameter> {
  return {
    name,
    location,
    schema: { kind: "scalar", type: "string" },
    repeated: false,
    flags: { required: { from: "rule" } },
    constraints: {},
  };
}

/** Variables carry their parameter's pattern, which tells routes apart. */
function withPatterns(
  tokens: readonly PathToken[],
  parameters: readonly Parameter[],
): Mutable<PathToken>[] {
  const patterns = new Map(
    parameters.map((parameter) => [
      parameter.name,
      parameter.constraints.pattern,
    ]),
  );
  return tokens.map((token) => {
    const pattern = "name" in token ? patterns.get(token.name) : undefined;
    return pattern === undefined ? token : { ...token, pattern };
  }) as Mutable<PathToken>[];
}
