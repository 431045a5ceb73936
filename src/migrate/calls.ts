import { ts } from "ts-morph";
import type { MigrationContext } from "./context.js";
import { memberName, memberNamed, memberValue, visitAll } from "./syntax.js";
import type { GoogleValue } from "./google-values.js";
import type { GeneratedApi } from "./types.js";
import { migrateCallback } from "./callbacks.js";
import { isString } from "./clients.js";
import { isGapiCall, migrateBody } from "./gapi.js";
import { expectedResponse } from "./responses.js";
import { migrateOptions } from "./options.js";

/** Common parameters that are options of a call. */
const QUERY = new Set([
  "prettyPrint",
  "uploadType",
  "upload_protocol",
  "callback",
  "$.xgafv",
]);

/** Expressions that read content, keyed by `responseType`. */
const READERS = new Map([
  ["stream", "Readable.from(media.stream, { objectMode: false })"],
  ["arraybuffer", "media.blob().then((blob) => blob.arrayBuffer())"],
  ["text", "media.text()"],
  ["blob", "media.blob()"],
]);

/** Migrates the parameters, options and content of calls. */
export function migrateCalls(context: MigrationContext): void {
  visitAll(context.file, (node) => {
    if (ts.isPropertyAccessExpression(node)) markReference(context, node);
    if (!ts.isCallExpression(node)) return;
    if (isBinding(node.expression)) return;
    const value = context.valueOf(node.expression);
    if (value?.kind === "method") migrateCall(context, node, value);
  });
}

/** `drive.files.list.bind(…)` */
function isBinding(node: ts.Node): boolean {
  return (
    ts.isPropertyAccessExpression(node) &&
    /^(?:bind|call|apply)$/.test(node.name.text)
  );
}

/** Marks a method that is passed on as a function: it returns the value now. */
function markReference(
  context: MigrationContext,
  node: ts.PropertyAccessExpression,
): void {
  const { parent } = node;
  const isPassed =
    isBinding(parent) ||
    (ts.isCallExpression(parent) &&
      parent.expression !== node &&
      !/\b(?:expect|mocked|assert)\b/.test(parent.expression.getText())) ||
    ((ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) &&
      parent.initializer === node);
  const value = isPassed ? context.valueOf(node) : undefined;
  if (value?.kind !== "method") return;
  const api = context.settings.findApi(value.name, value.version);
  if (api.methodNamed(methodPath(context, node)) !== undefined)
    context.editor.todo(
      node,
      "the method is passed on: it returns the value, without data, and takes no callback",
    );
}

function migrateCall(
  context: MigrationContext,
  call: ts.CallExpression,
  { name, version }: GoogleValue,
): void {
  const { editor } = context;
  const last = call.arguments.at(-1);
  const isCallback =
    last !== undefined &&
    (context.checker.getTypeAtLocation(last).getCallSignatures().length > 0 ||
      isCallbackName(context, last));
  const isOfGapi = isGapiCall(call);
  if (isOfGapi) migrateBody(context, call);
  const [parameters, options] = isCallback
    ? call.arguments.slice(0, -1)
    : isOfGapi
      ? call.arguments.slice(0, 1)
      : call.arguments;
  const api = context.settings.findApi(name, version);
  const method = methodPath(context, call.expression);
  const isResource = api.hasParameter(method, "resource") === true;
  const { moved, query, isMedia } = migrateParameters(
    context,
    call,
    parameters,
    isResource,
  );
  castBody(context, call, api, method);
  const literal = context.literalOf(options);
  const hasParams = memberNamed(literal, "params") !== undefined;
  const { responseType, kept } =
    literal === undefined
      ? { responseType: undefined, kept: 1 }
      : migrateOptions(context, literal, "query", query);
  if (query.length > 0 && !hasParams)
    moved.push(`query: { ${query.join(", ")} }`);
  if (options !== undefined && literal === undefined)
    editor.todo(options, "the options of this call are not migrated");
  if (moved.length > 0)
    if (options === undefined)
      editor.edit(
        parameters!.end,
        parameters!.end,
        `, { ${moved.join(", ")} }`,
      );
    else if (literal === options)
      editor.edit(
        literal!.getStart() + 1,
        literal!.getStart() + 1,
        ` ${moved.join(", ")}${kept > 0 ? ", " : ""}`,
      );
    else editor.todo(call, `put into the options: ${moved.join(", ")}`);
  else if (kept === 0 && literal === options && options !== undefined)
    editor.edit(parameters!.end, options.end, "");
  const hasContent =
    isMedia ||
    api.isContentOnly(method) ||
    (responseType !== undefined && responseType !== "json");
  const suffix = hasContent
    ? contentSuffix(context, call, responseType ?? contentType(parameters))
    : context.full.has(call)
      ? ".withResponse()"
      : (expectedResponse(context, call) ?? "");
  if (isCallback) migrateCallback(context, call, last, suffix);
  else if (suffix !== "") editor.edit(call.end, call.end, suffix);
}

/**
 * `requestBody: event` → `requestBody: event as events.InsertParameters["requestBody"]`,
 * if the method requires members that the type of the value need not have.
 */
function castBody(
  context: MigrationContext,
  call: ts.CallExpression,
  api: GeneratedApi,
  method: string,
): void {
  const required = api.requiredMembers(method);
  const parameters = context.literalOf(call.arguments[0]);
  const body =
    memberNamed(parameters, "requestBody") ??
    memberNamed(parameters, "resource");
  const value = body && memberValue(body);
  if (
    required.length === 0 ||
    value === undefined ||
    !/\.[cm]?tsx?$/.test(context.file.fileName) ||
    (ts.isObjectLiteralExpression(value) &&
      required.every((name) => memberNamed(value, name) !== undefined))
  )
    return;
  const [resource, name] = [
    method.split(".").slice(0, -1),
    method.slice(method.lastIndexOf(".") + 1),
  ];
  const namespace = resource.map(capitalized).join("");
  if (namespace === "") return;
  const local = context.importGenerated(
    api,
    `${namespace[0]!.toLowerCase()}${namespace.slice(1)}`,
    { isType: true },
  );
  const type = `${local}.${capitalized(name)}Parameters["requestBody"]`;
  context.editor.edit(value.end, value.end, ` as ${type}`);
}

export function capitalized(name: string): string {
  return `${name[0]!.toUpperCase()}${name.slice(1)}`;
}

/** Returns `text` for calls that request text: `{ mimeType: "text/plain" }`. */
function contentType(parameters: ts.Expression | undefined): string {
  const type =
    parameters !== undefined && ts.isObjectLiteralExpression(parameters)
      ? memberNamed(parameters, "mimeType")
      : undefined;
  const text = type && memberValue(type)?.getText();
  return /^["'`]text\//.test(text ?? "") ? "text" : "blob";
}

/** Tests whether an argument without a type is called like a callback. */
function isCallbackName(context: MigrationContext, node: ts.Node): boolean {
  const { flags } = context.checker.getTypeAtLocation(node);
  return (
    ts.isIdentifier(node) &&
    (flags & ts.TypeFlags.Any) !== 0 &&
    /^(?:callback|cb|done|next)$/i.test(node.text)
  );
}

/** `.media()` with the form of content that `responseType` selects. */
function contentSuffix(
  context: MigrationContext,
  call: ts.CallExpression,
  responseType: string,
): string {
  const { editor } = context;
  const reader = READERS.get(responseType);
  if (reader === undefined)
    editor.todo(
      call,
      "read the content with .media(): stream, bytes(), text() or blob()",
    );
  else {
    if (responseType === "stream") editor.import("node:stream", "Readable");
    return context.full.has(call)
      ? `.media().then(async (media) => ({ data: await ${reader}, response: media.response }))`
      : `.media().then((media) => ${reader})`;
  }
  return "";
}

/** Members that became options, as text, and true for content. */
interface MigratedParameters {
  readonly moved: string[];
  /** Query parameters that are not parameters of the method. */
  readonly query: readonly string[];
  readonly isMedia: boolean;
}

function migrateParameters(
  context: MigrationContext,
  call: ts.CallExpression,
  parameters: ts.Expression | undefined,
  isResource: boolean,
): MigratedParameters {
  const { editor } = context;
  const literal = context.literalOf(parameters);
  const moved: string[] = [];
  if (literal === undefined) return { moved, query: [], isMedia: false };
  const removed: ts.ObjectLiteralElementLike[] = [];
  const query: string[] = [];
  let isMedia = false;
  const isMovable =
    literal === parameters || isOfCalls(context, call, parameters!);
  for (const member of literal.properties) {
    const name = memberName(member);
    const value = memberValue(member);
    if (name === undefined || value === undefined) continue;
    if (name === "resource" && !isResource) {
      if (ts.isPropertyAssignment(member))
        editor.replace(member.name, "requestBody");
      else editor.replace(member, "requestBody: resource");
    } else if (name === "alt") {
      const alt = ts.isStringLiteralLike(value) ? value.text : undefined;
      isMedia ||= alt === "media";
      if (alt === "media" || alt === "json") removed.push(member);
      else
        editor.todo(member, "alt has no counterpart: use .media() for content");
    } else if (name === "auth" && isString(context, value)) {
      // A string is an API key.
      if (ts.isPropertyAssignment(member)) editor.replace(member.name, "key");
      else editor.replace(member, `key: ${value.getText()}`);
    } else if (name === "auth" || name === "headers") {
      if (
        isMovable &&
        (literal === parameters || /^[\w$.]+$/.test(value.getText()))
      ) {
        removed.push(member);
        const text = value.getText();
        moved.push(text === name ? name : `${name}: ${text}`);
      } else editor.todo(member, `put ${name} into the options of the call`);
    } else if (QUERY.has(name)) {
      removed.push(member);
      query.push(`${JSON.stringify(name)}: ${value.getText()}`);
    } else if (name === "key") continue;
  }
  editor.removeFrom(literal.properties, removed);
  return { moved, query, isMedia };
}

/**
 * Tests whether a variable contains only parameters of calls in its block, so that
 * its `auth` can be an option of each call.
 */
function isOfCalls(
  context: MigrationContext,
  call: ts.CallExpression,
  variable: ts.Expression,
): boolean {
  if (!ts.isIdentifier(variable)) return false;
  const declaration = context.declarationOf(variable);
  if (declaration === undefined || !ts.isVariableDeclaration(declaration))
    return false;
  const block = declaration.parent.parent.parent;
  return (
    call.pos >= block.pos &&
    call.end <= block.end &&
    context.referencesOf(variable).every(({ parent }, index, list) => {
      const name = list[index];
      return (
        parent === declaration ||
        (ts.isPropertyAccessExpression(parent) &&
          parent.expression === name &&
          parent.name.text !== "auth") ||
        (ts.isCallExpression(parent) &&
          parent.arguments[0] === name &&
          context.valueOf(parent.expression)?.kind === "method")
      );
    })
  );
}

/** Returns the path of a method below its client: `files.list`. */
export function methodPath(
  context: MigrationContext,
  node: ts.Expression,
): string {
  if (!ts.isPropertyAccessExpression(node)) return "";
  if (context.valueOf(node.expression)?.kind === "client")
    return node.name.text;
  const parent = methodPath(context, node.expression);
  return parent === "" ? node.name.text : `${parent}.${node.name.text}`;
}
