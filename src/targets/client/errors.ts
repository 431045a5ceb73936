import type { ErrorRule, Method } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";
import { Code, literal } from "../../render/typescript/code.js";
import { docComment } from "../../render/typescript/doc-comment.js";
import type { Engine } from "../../render/engine.js";
import type { OutputFile } from "../../platform/output-file.js";
import { functionHead } from "../../render/typescript/signature.js";
import { Call, type Data } from "../../render/typescript/literals.js";
import {
  aliasDeclaration,
  generic,
  named,
  type TypeTree,
} from "../../render/typescript/types.js";
import type { ApiContext } from "../shared/api-context.js";
import { moduleFile } from "../shared/module-file.js";
import { FileContext } from "../shared/file-context.js";
import { errorNotes } from "../shared/doc-notes.js";
import { entryLines, jsonData } from "../shared/entries.js";
import { typeOf } from "../shared/types.js";

type Rules = readonly ErrorRule[];

/**
 * Templates of error bodies (`x-errors`), keyed by HTTP status or `default`.
 */
type Templates = { readonly [status: string]: Data };

/** Names that errors.ts exports. */
export interface ErrorNames {
  readonly type: string;
  readonly guard: string;
}

/**
 * Returns the names that errors.ts exports; undefined if the document describes
 * no error bodies.
 */
export function errorNames({
  api,
  names,
  methods,
}: ApiContext): ErrorNames | undefined {
  const rules = [api.errors, ...methods.map(({ errors }) => errors)];
  if (!rules.some((list) => hasForm(list))) return undefined;
  const taken = new NameScope(names.types.values());
  const type = taken.reserve(`${names.title}Error`);
  return { type, guard: `is${type}` };
}

/**
 * Prints errors.ts, which contains the type of the API's errors, its type
 * guard, and the function that parses error bodies.
 */
export function errorsFile(
  context: ApiContext,
  { type, guard }: ErrorNames,
  engine: Engine,
): OutputFile {
  const { api } = context;
  const scope = new NameScope(["errors", type, guard]);
  const file = new FileContext(context, scope, "./");
  const templates = templatesOf([], api.errors ?? []);
  const head = functionHead({
    name: guard,
    parameters: [{ name: "error", type: "unknown" }],
    result: `error is ${type}`,
  });
  const description = "Error with a body that the API description declares.";
  const notes = errorNotes(api.errors ?? []);
  const union = errorType(context, file);
  const entries = entryLines(templates, 2);
  const reader = {
    entries,
    ReadError: new Code(file.runtimeType("ReadError")),
    make: new Code(file.runtimeValue("describedErrors")),
  };
  const check = new Code(file.runtimeValue("isDescribedError"));
  const view = {
    reader: entries.length === 0 ? undefined : reader,
    doc: docComment({ description, notes }, 0),
    type: aliasDeclaration(type, union),
    head,
    check,
    prefix: literal(prefixOf(context)),
  };
  const { imports } = file;
  return moduleFile(
    { path: "errors", template: "client/errors", view, imports },
    context,
    engine,
  );
}

/**
 * Returns the expression for the function that parses the error bodies of a
 * method.
 */
export function errorReader(
  { errors = [] }: Method,
  { api }: ApiContext,
  file: FileContext,
): Data | undefined {
  const shared = api.errors ?? [];
  if (hasForm(errors))
    return new Call(
      file.runtimeValue("describedErrors"),
      templatesOf(errors, shared),
    );
  if (!hasForm(shared)) return undefined;
  return new Code(file.imports.value(file.sibling("errors"), "errors"));
}

function hasForm(rules: Rules = []): boolean {
  return rules.some(({ body, schema }) => body !== undefined || !!schema);
}

/**
 * Returns the templates of error bodies, keyed by status. An error rule with a
 * schema but without a template matches any object.
 */
function templatesOf(specific: Rules, shared: Rules): Templates {
  const general = bodyOf(shared.find(({ status }) => status === "default"));
  const templates: { [status: string]: Data } = {};
  for (const rule of [...shared, ...specific]) {
    const body = bodyOf(rule);
    if (body !== undefined && rule.status !== "default")
      templates[rule.status] = jsonData(body);
  }
  if (general !== undefined) templates["default"] = jsonData(general);
  return templates;
}

function bodyOf(rule: ErrorRule | undefined): unknown {
  return rule?.body ?? (rule?.schema === undefined ? undefined : {});
}

/**
 * Returns the union of the error types. For each schema of error bodies, there
 * is one type with the statuses that use the schema.
 */
function errorType({ api, methods }: ApiContext, file: FileContext): TypeTree {
  const described = generic.bind(undefined, file.runtimeType("DescribedError"));
  const types = file.schemaTypes();
  const shared = api.errors ?? [];
  const general = shared.find(({ status }) => status === "default")?.schema;
  const bodies = new Map<string, Set<string>>();
  for (const rules of [shared, ...methods.map(({ errors = [] }) => errors)])
    for (const { status, schema } of rules)
      if (schema !== undefined && schema !== general && status !== "default")
        bodies.set(schema, (bodies.get(schema) ?? new Set()).add(status));
  const row = (schema: string, statuses: TypeTree): TypeTree =>
    described(statuses, typeOf({ kind: "ref", id: schema }, "output", types));
  const rows = [...bodies].map(([schema, statuses]) =>
    row(schema, union([...statuses].sort().map(named))),
  );
  const listed = [...new Set([...bodies.values()].flatMap((set) => [...set]))];
  const anyStatus = named(file.runtimeType("ErrorStatus"));
  const rest =
    listed.length === 0
      ? anyStatus
      : generic("Exclude", anyStatus, union(listed.sort().map(named)));
  if (general !== undefined) rows.push(row(general, rest));
  return rows.length === 0
    ? described(anyStatus, named("unknown"))
    : union(rows);
}

function union(of: readonly TypeTree[]): TypeTree {
  return of.length === 1 ? of[0]! : { kind: "union", of };
}

/**
 * Returns the common prefix of all method ids, which distinguishes errors of
 * this API from those of other APIs; an empty string if there is no common
 * prefix.
 */
function prefixOf({ api, methods }: ApiContext): string {
  const prefix = `${api.name}.`;
  return methods.every(({ id }) => id.startsWith(prefix)) ? prefix : "";
}
