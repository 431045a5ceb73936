import ts from "ts6";
import {
  requiredParameters,
  type PlacedMethod,
  type Counts,
  type RawDocument,
  type RawNode,
} from "./document.js";
import { literalsIn } from "./inputs.js";
import {
  type Constant,
  type Interface,
  type Member,
  type Source,
} from "./source.js";
import { callOf, entriesOf, pathOf, type Value } from "./values.js";
import { bare, referenceOf, type SchemaWalk } from "./types.js";

/** Context of the check of a method. */
export interface MethodContext {
  readonly document: RawDocument;
  readonly source: Source;
  /** Common parameters that all calls accept. */
  readonly common: ReadonlySet<string>;
  readonly walk: SchemaWalk;
  /** Request types by type, if they differ. */
  readonly inputs: ReadonlyMap<string, string>;
  /** Types that differ in requests. */
  readonly split: ReadonlySet<string>;
  readonly totals: Counts;
  readonly problem: (text: string) => void;
}

/** Compares a constant with its method. */
export function checkMethod(
  { name, raw, resource }: PlacedMethod,
  constant: Constant,
  context: MethodContext,
): void {
  const place = raw.id ?? [...resource, name].join(".");
  const problem = (text: string): void => context.problem(`${place}: ${text}`);
  context.totals.methods++;
  if (
    scopesNote(raw.scopes ?? []) !==
    /Accepted scopes: .*?\.(?= |$)/.exec(constant.doc.trimEnd())?.[0]
  )
    problem("names other scopes");
  const renamed = checkDescriptor(raw, constant.value, context, problem);
  const [given, call] = typeArguments(constant.type);
  const isOrMedia = imported(given, context.source) === "OrMedia";
  const [parameters, content] = isOrMedia ? typeArguments(given) : [given];
  const orMedia = literalsIn(content);
  const kind = context.source.imports.get(
    referenceOf(constant.type) ?? "",
  )?.name;
  if (imported(parameters, context.source) === "CommonParameters") {
    if (Object.keys(raw.parameters ?? {}).length > 0 || raw.request)
      problem("has lost its parameters");
    if (kind !== "OptionalMethod") problem(`is a ${kind}`);
    return checkResult(raw.response, call, context, problem);
  }
  const found = context.source.types.get(referenceOf(parameters) ?? "");
  if (found?.kind !== "interface") return problem("has no parameter interface");
  const needsSome = checkParameters(
    raw.parameters ?? {},
    requiredParameters(raw),
    found,
    renamed,
    {
      ...context,
      problem,
    },
  );
  const needsBody = checkBody(raw, found, orMedia, context, problem);
  if (kind !== (needsSome || needsBody ? "Method" : "OptionalMethod"))
    problem(`is a ${kind}`);
  checkResult(raw.response, call, context, problem);
  checkBase(raw.parameters ?? {}, found, context, problem);
}

/** Returns the scopes that a method's comment must name. */
function scopesNote(scopes: readonly string[]): string | undefined {
  if (scopes.length === 0) return undefined;
  const short = scopes.map((scope) =>
    scope.replace("https://www.googleapis.com/auth/", ""),
  );
  return `Accepted scopes: ${short.join(", ")}.`;
}

function typeArguments(
  type: ts.TypeNode | undefined,
): readonly (ts.TypeNode | undefined)[] {
  return type !== undefined && ts.isTypeReferenceNode(type)
    ? (type.typeArguments ?? [])
    : [];
}

/** Compares the descriptor; returns the wire names of renamed properties. */
function checkDescriptor(
  raw: PlacedMethod["raw"],
  value: Value,
  { source }: MethodContext,
  problem: (text: string) => void,
): ReadonlyMap<string, string> {
  const call = callOf(value);
  if (source.imports.get(call?.name ?? "")?.name !== "method")
    problem("is not made by method()");
  const entries = entriesOf(call?.args[0]);
  const same = (key: string, wanted: unknown, found: unknown): void => {
    if (JSON.stringify(wanted) !== JSON.stringify(found))
      problem(
        `${key} is ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`,
      );
  };
  if (raw.id !== undefined) same("id", raw.id, entries.get("id"));
  same("httpMethod", raw.httpMethod, entries.get("httpMethod") ?? "GET");
  same("path", raw.path, entries.get("path"));
  const headers = entriesOf(entries.get("headers"));
  same("apiVersion", raw.apiVersion, headers.get("x-goog-api-version"));
  checkMedia(raw, entries.get("use"), source, same);
  const names = [...entriesOf(entries.get("names"))];
  return new Map(names.map(([property, wire]) => [String(wire), property]));
}

/** Compares uploads and downloads. */
function checkMedia(
  { mediaUpload, supportsMediaDownload }: PlacedMethod["raw"],
  use: Value | undefined,
  { imports }: Source,
  same: (key: string, wanted: unknown, found: unknown) => void,
): void {
  const features = Array.isArray(use) ? (use as Value[]) : [];
  const named = (value: Value, name: string): boolean =>
    imports.get(callOf(value)?.name ?? pathOf(value).join("."))?.name === name;
  const download = features.some((feature) => named(feature, "download"));
  same("download", supportsMediaDownload === true, download);
  const upload = features.find((feature) => named(feature, "upload"));
  const { simple, resumable } = mediaUpload?.protocols ?? {};
  const offered = (simple ?? resumable) !== undefined;
  same("upload", offered, upload !== undefined);
  if (upload === undefined) return;
  const entries = entriesOf(callOf(upload)!.args[0]);
  same("upload.simple", simple?.path, entries.get("simple"));
  same("upload.resumable", resumable?.path, entries.get("resumable"));
  const whole = simple?.multipart === true ? true : undefined;
  same("upload.multipart", whole, entries.get("multipart"));
  same("upload.maxSize", mediaUpload?.maxSize, entries.get("maxSize"));
  const all = mediaUpload?.accept?.includes("*/*") === true;
  const accept = all ? undefined : mediaUpload?.accept;
  same("upload.accept", accept, entries.get("accept"));
}

/** Compares parameters with properties; returns whether one is required. */
export function checkParameters(
  parameters: Readonly<Record<string, RawNode>>,
  required: ReadonlySet<string>,
  found: Interface,
  renamed: ReadonlyMap<string, string>,
  context: Pick<MethodContext, "walk" | "totals" | "problem">,
  count: "parameters" | "commonParameters" = "parameters",
): boolean {
  const wanted = new Set([...Object.keys(parameters), ...required]);
  const expected = new Set(["requestBody", "media"]);
  for (const name of wanted) {
    if (parameters[name] !== undefined) context.totals[count]++;
    const property = renamed.get(name) ?? name;
    expected.add(property);
    const member = found.members.get(property);
    if (member === undefined) {
      context.problem(`lost the parameter ${name}`);
      continue;
    }
    if (member.optional === required.has(name))
      context.problem(`parameter ${name}: optional is wrong`);
    const raw = parameters[name] ?? { type: "string" };
    const type = givenType(member, (text) =>
      context.problem(`parameter ${name}: ${text}`),
    );
    const isReadonlyArray = ts.isTypeOperatorNode(type);
    if (isReadonlyArray !== (raw.repeated === true))
      context.problem(`parameter ${name}: repeated is wrong`);
    const { repeated, format: _, ...node } = raw;
    if (name === "alt" && raw.enum !== undefined)
      context.walk.closed(
        "parameter alt",
        raw.enum,
        raw.enum.filter((value) => value !== "media"),
        type,
      );
    else
      context.walk.node(
        `parameter ${name}`,
        repeated === true ? { type: "array", items: node } : node,
        type,
      );
  }
  for (const name of found.members.keys())
    if (!expected.has(name))
      context.problem(`has the surplus parameter ${name}`);
  return required.size > 0;
}

/** Returns the type of a property without the `undefined` of optional ones. */
function givenType(
  { type, optional }: Member,
  problem: (text: string) => void,
): ts.TypeNode {
  const options = ts.isUnionTypeNode(type) ? [...type.types] : [type];
  const rest = options.filter(
    ({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword,
  );
  if (rest.length === options.length && optional) problem("takes no undefined");
  if (rest.length < options.length && !optional) problem("takes undefined");
  return rest.length === 1 ? rest[0]! : type;
}

/** Compares the request body; returns whether it is required. */
function checkBody(
  raw: PlacedMethod["raw"],
  found: Interface,
  orMedia: readonly string[],
  { document, source, inputs, split, walk }: MethodContext,
  problem: (text: string) => void,
): boolean {
  const member = found.members.get("requestBody");
  if ((raw.request?.$ref !== undefined) !== (member !== undefined))
    problem("requestBody is wrong");
  const takes = Object.keys(raw.mediaUpload?.protocols ?? {}).length > 0;
  if (takes !== found.members.has("media")) problem("media is wrong");
  const id = raw.request?.$ref;
  if (id === undefined || member === undefined) return false;
  const demanded = Object.entries(
    document.schemas?.[id]?.properties ?? {},
  ).filter(([, property]) => requiredBy(property).includes(raw.id ?? ""));
  const content = demanded
    .filter(([, { format }]) => takes && format === "byte")
    .map(([name]) => name);
  const required = demanded
    .map(([name]) => name)
    .filter((name) => !content.includes(name));
  if (orMedia.join() !== content.join())
    problem("media stands for other fields");
  if (member.optional === required.length > 0)
    problem("requestBody: optional is wrong");
  if (isHttpBody(id, document) && !takes) {
    if (imported(givenType(member, problem), source) !== "RawBody")
      problem("requestBody is not content");
    return false;
  }
  const wrappers: string[] = [];
  let type = bare(givenType(member, problem));
  for (
    let name = imported(type, source);
    name === "Patch" || name === "Input" || name === "WithRequired";
    name = imported(type, source)
  ) {
    wrappers.push(name);
    if (
      name === "WithRequired" &&
      literalsIn(typeArguments(type)[1]).sort().join() !==
        [...required].sort().join()
    )
      problem("requestBody: other fields are required");
    type = bare(typeArguments(type)[0]!);
  }
  if (wrappers.includes("Patch") !== (raw.httpMethod === "PATCH"))
    problem("requestBody: null is wrong");
  if (wrappers.includes("Input") === (raw.httpMethod === "PATCH"))
    problem("requestBody: undefined is wrong");
  if (wrappers.includes("WithRequired") !== required.length > 0)
    problem("requestBody: required fields are wrong");
  const name = walk.nameOf(id);
  const wanted = split.has(name) ? inputs.get(name) : name;
  if (referenceOf(type) !== wanted) problem(`requestBody is not ${wanted}`);
  return demanded.length > 0;
}

/** Returns whether a body is content of any media type (`google.api.HttpBody`). */
function isHttpBody(id: string | undefined, { schemas }: RawDocument): boolean {
  const { contentType, data } = schemas?.[id ?? ""]?.properties ?? {};
  const isNamed = id?.endsWith("HttpBody") === true;
  return isNamed && contentType !== undefined && data?.format === "byte";
}

function requiredBy(node: RawNode): readonly string[] {
  return (
    (node as { annotations?: { required?: readonly string[] } }).annotations
      ?.required ?? []
  );
}

function imported(
  type: ts.TypeNode | undefined,
  source: Source,
): string | undefined {
  return source.imports.get(referenceOf(type) ?? "")?.name;
}

/** Compares the type of the result with the response. */
function checkResult(
  response: RawNode | undefined,
  call: ts.TypeNode | undefined,
  { walk, document, source }: MethodContext,
  problem: (text: string) => void,
): void {
  const isRaw = isHttpBody(response?.$ref, document);
  const calls =
    call !== undefined && ts.isIntersectionTypeNode(call)
      ? [...call.types]
      : [call];
  for (const part of calls) {
    const [result] = typeArguments(part);
    if (response?.$ref === undefined) {
      if (result?.kind !== ts.SyntaxKind.VoidKeyword)
        problem("has a result instead of void");
    } else if (isRaw) {
      if (imported(result, source) !== "Media") problem("gives no media");
    } else if (referenceOf(result) !== walk.nameOf(response.$ref))
      problem(`does not give ${response.$ref}`);
  }
}

/** Returns the common parameters without those that the method replaces. */
function checkBase(
  parameters: Readonly<Record<string, RawNode>>,
  { base }: Interface,
  { document, common: shared }: MethodContext,
  problem: (text: string) => void,
): void {
  const shadowed = Object.keys(document.parameters ?? {}).filter(
    (name) => parameters[name] !== undefined && shared.has(name),
  );
  const name =
    base === undefined ? undefined : (base.expression as ts.Identifier).text;
  const [inner, omitted] = base?.typeArguments ?? [];
  const common = name === "Omit" ? referenceOf(inner) : name;
  if (common !== "CommonParameters") problem("has not the common parameters");
  if (literalsIn(omitted).join() !== shadowed.join())
    problem("leaves out other common parameters than its own");
}
