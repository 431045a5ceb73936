import ts from "ts6";
import {
  methodsOf,
  scopesOf,
  type Counts,
  type RawDocument,
  type RawNode,
} from "./document.js";
import { checkInputs, typesWithReadonly } from "./inputs.js";
import { checkMethod, checkParameters } from "./methods.js";
import { type Interface, parseSource, type Source } from "./source.js";
import { entriesOf, pathOf, type Value } from "./values.js";
import { flatDescriptor } from "./bound-table.js";
import { describeTree, nodeAt, typeTree, valueTree } from "./tree.js";
import { SchemaWalk } from "./types.js";

/** The files of one API: text by path below its folder. */
export type Files = ReadonlyMap<string, string>;

/**
 * Compares the declarations of a document with the files generated from it.
 *
 * @returns missing, surplus and different declarations; empty if there are none
 */
export function compare(
  document: RawDocument,
  files: Files,
  renamed: ReadonlyMap<string, string>,
  totals: Counts,
): string[] {
  const problems: string[] = [];
  const problem = (text: string): void => void problems.push(text);
  const sources = new Map(
    [...files].map(([name, text]) => [name, parseSource(name, text)]),
  );
  const schemas = sources.get("schemas.ts")!;
  const walk = new SchemaWalk(
    schemas,
    document.schemas ?? {},
    renamed,
    totals,
    problem,
  );
  for (const [id, raw] of Object.entries(document.schemas ?? {}))
    walk.declaration(id, raw);
  const isSchema = (name: string): boolean => walk.visited.has(name);
  const inputs = checkInputs(schemas, isSchema, problem);
  const split = typesWithReadonly(schemas.types, isSchema);
  checkService(document, sources.get("service.ts")!, renamed, totals, problem);
  checkScopes(document, sources.get("scopes.ts")!, totals, problem);
  checkMethods({ document, sources, inputs, split, renamed, totals, problem });
  return problems;
}

/** Compares the API's URLs and the common parameters. */
function checkService(
  document: RawDocument,
  source: Source,
  renamed: ReadonlyMap<string, string>,
  totals: Counts,
  problem: (text: string) => void,
): void {
  const entries = entriesOf(source.constants.get("service")?.value);
  for (const key of ["rootUrl", "servicePath", "batchPath"] as const)
    if (entries.get(key) !== document[key])
      problem(
        `service.${key} is ${String(entries.get(key))} instead of ${document[key]}`,
      );
  const common = source.types.get("CommonParameters");
  if (common?.kind !== "interface")
    return problem("service.ts has no CommonParameters");
  const ofClient = source.types.get("ClientParameters");
  if (
    ofClient?.kind !== "interface" ||
    (ofClient.base?.expression as ts.Identifier | undefined)?.text !==
      "CommonParameters"
  )
    return problem("service.ts has no ClientParameters");
  const walk = new SchemaWalk(source, {}, renamed, totals, problem);
  checkParameters(
    document.parameters ?? {},
    new Set(),
    {
      ...ofClient,
      members: new Map([...common.members, ...ofClient.members]),
    },
    new Map(),
    { walk, totals, problem: (text) => problem(`common: ${text}`) },
    "commonParameters",
  );
  reportSurplus(
    source,
    walk,
    new Set(["CommonParameters", "ClientParameters"]),
    "service.ts",
    problem,
  );
}

function checkScopes(
  document: RawDocument,
  source: Source,
  totals: Counts,
  problem: (text: string) => void,
): void {
  const wanted = scopesOf(document);
  const found = [...source.constants.values()]
    .map(({ value }) => value)
    .filter((value) => typeof value === "string");
  totals.scopes += wanted.size;
  for (const scope of wanted)
    if (!found.includes(scope)) problem(`lost the scope ${scope}`);
  if (found.length !== wanted.size) problem("has surplus scopes");
  const byMethod = methodScopes(source);
  for (const { raw, resource, name } of methodsOf(document)) {
    const id = raw.id ?? [...resource, name].join(".");
    const has = [...(byMethod.get(id) ?? [])].sort();
    if (has.join() !== [...(raw.scopes ?? [])].sort().join())
      problem(`${id}: scopeSets says ${has.join()}`);
  }
}

/** Returns scopes by method id, from `scopeSets`. */
function methodScopes(source: Source): ReadonlyMap<string, readonly string[]> {
  const sets = source.constants.get("scopeSets")?.value;
  const found = new Map<string, string[]>();
  for (const set of Array.isArray(sets) ? (sets as Value[]) : []) {
    const entries = entriesOf(set);
    const scopes = (entries.get("scopes") as readonly Value[]).map((scope) =>
      String(source.constants.get(pathOf(scope).join("."))?.value),
    );
    for (const id of entries.get("methods") as readonly string[])
      found.set(id, scopes);
  }
  return found;
}

interface Parts {
  readonly document: RawDocument;
  readonly sources: ReadonlyMap<string, Source>;
  readonly inputs: ReadonlyMap<string, string>;
  readonly split: ReadonlySet<string>;
  readonly renamed: ReadonlyMap<string, string>;
  readonly totals: Counts;
  readonly problem: (text: string) => void;
}

/** Compares the methods of the document with those of client.ts. */
function checkMethods({
  document,
  sources,
  inputs,
  split,
  renamed,
  totals,
  problem,
}: Parts): void {
  const client = sources.get("client.ts")!;
  const tree = valueTree(client);
  if (
    JSON.stringify(describeTree(tree)) !==
    JSON.stringify(describeTree(typeTree(client)))
  )
    problem("the client's type and value differ");
  const canBatch =
    document.batchPath !== undefined && methodsOf(document).length > 0;
  if ((tree.batches === true) !== canBatch) problem("batch() is wrong");
  const common = sources.get("service.ts")!.types.get("CommonParameters");
  const walks = new Map<string, SchemaWalk>();
  const used = new Map<string, Set<string>>();
  for (const placed of methodsOf(document)) {
    const { resource, name } = placed;
    const node = nodeAt(tree, resource);
    const file = node?.file?.replace(/^\.\/(.*)\.js$/, "$1.ts") ?? "";
    const source = sources.get(file);
    const constant = source?.constants.has(name) ? name : `${name}_`;
    const found = source?.constants.get(constant);
    if (source === undefined || found === undefined) {
      problem(`lost the method ${[...resource, name].join(".")}`);
      continue;
    }
    const key = [...resource, name].join(".");
    if (tree.table?.get(key) !== flatDescriptor(found.value, source))
      problem(
        `${key} is ${tree.table?.get(key)} in client.ts, ${flatDescriptor(found.value, source)} in ${file}`,
      );
    const walk =
      walks.get(file) ??
      new SchemaWalk(source, document.schemas ?? {}, renamed, totals, problem);
    walks.set(file, walk);
    used.set(
      file,
      (used.get(file) ?? new Set())
        .add(constant)
        .add(`type ${typeName(found.type)}`),
    );
    checkMethod(placed, found, {
      document,
      source,
      common: new Set((common as Interface).members.keys()),
      walk,
      inputs,
      split,
      totals,
      problem,
    });
  }
  if (tree.table?.size !== methodsOf(document).length)
    problem(`the client binds ${tree.table?.size} methods`);
  for (const [file, source] of sources) {
    if (!file.startsWith("resources/")) continue;
    const names = used.get(file) ?? new Set();
    for (const constant of source.constants.keys())
      if (!names.has(constant))
        problem(`${file} has the surplus method ${constant}`);
    const interfaces = [...names]
      .filter((key) => key.startsWith("type "))
      .map((key) => key.slice(5));
    reportSurplus(source, walks.get(file), new Set(interfaces), file, problem);
  }
}

/** Returns the name of the interface of a method's parameters. */
function typeName(type: ts.TypeNode | undefined): string {
  const [given] = argumentsOf(type);
  const [inner] = argumentsOf(given);
  const first = inner ?? given;
  return first !== undefined && ts.isTypeReferenceNode(first)
    ? (first.typeName as ts.Identifier).text
    : "";
}

function argumentsOf(
  type: ts.TypeNode | undefined,
): readonly (ts.TypeNode | undefined)[] {
  return type !== undefined && ts.isTypeReferenceNode(type)
    ? (type.typeArguments ?? [])
    : [];
}

function reportSurplus(
  source: Source,
  walk: SchemaWalk | undefined,
  known: ReadonlySet<string>,
  file: string,
  problem: (text: string) => void,
): void {
  for (const name of source.types.keys())
    if (
      !known.has(name) &&
      walk?.visited.has(name) !== true &&
      !name.endsWith("Options")
    )
      problem(`${file} has the surplus type ${name}`);
}

/** Returns the reported names of schemas whose ids are not valid type names. */
export function renamedSchemas(
  diagnostics: readonly {
    readonly code: string;
    readonly message: string;
    readonly pointer?: string;
  }[],
  schemas: Readonly<Record<string, RawNode>>,
): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  for (const { code, message } of diagnostics) {
    const match =
      code === "name-changed"
        ? /^schema (".*") has the type name (\S+)$/.exec(message)
        : null;
    const id = match === null ? "" : (JSON.parse(match[1]!) as string);
    if (schemas[id] !== undefined) renamed.set(id, match![2]!);
  }
  return renamed;
}
