import type { Api, ErrorRule, Method } from "../../model/ir.js";
import { methodsOf } from "../../model/queries.js";
import { NameScope } from "../../model/names.js";
import { Code, identifier, literal } from "../../render/typescript/code.js";
import { docComment } from "../../render/typescript/comment.js";
import type { Engine } from "../../render/engine.js";
import { Call, property, type Data } from "../../render/typescript/literals.js";
import {
  aliasCode,
  generic,
  named,
  type TypeTree,
} from "../../render/typescript/types.js";
import {
  banner,
  FileContext,
  type ClientContext,
} from "../shared/file-context.js";
import { errorNotes } from "../shared/docs.js";
import { typeOf } from "../shared/types.js";

type Rules = readonly ErrorRule[];

/** Templates of bodies by status, or `default` (`x-errors`). */
type Templates = { readonly [status: string]: Data };

/** Names of what errors.ts exports. */
export interface ErrorNames {
  readonly type: string;
  readonly guard: string;
}

/** The names of an API whose errors have a described form; undefined for others. */
export function errorNames({
  api,
  names,
}: ClientContext): ErrorNames | undefined {
  const all = [api.errors, ...methodsOf(api.root).map(({ errors }) => errors)];
  if (!all.some((rules) => hasForm(rules))) return undefined;
  const taken = new NameScope(names.types.values());
  const type = taken.reserve(`${names.title}Error`);
  return { type, guard: `is${type}` };
}

/** errors.ts: the type of an API's errors, its guard, and what reads their bodies. */
export function errorsFile(
  context: ClientContext,
  { type, guard }: ErrorNames,
  engine: Engine,
): string {
  const { api } = context;
  const scope = new NameScope(["errors", type, guard]);
  const file = new FileContext(context, scope, "./");
  const templates = templatesOf([], api.errors ?? []);
  const head = `export function ${guard}(error: unknown): error is ${type} {`;
  const description =
    "An error whose body has the form that the description gives it.";
  const notes = errorNotes(api.errors ?? []);
  const union = errorType(context, file);
  const entries = Object.entries(templates).map(
    ([status, template]) => new Code(property(status, template, 2)),
  );
  const reader = {
    entries,
    ReadError: new Code(file.runtimeType("ReadError")),
    make: new Code(file.runtimeValue("describedErrors")),
  };
  const check = new Code(file.runtimeValue("isDescribedError"));
  return engine.render("client/errors", {
    banner: banner(context),
    imports: file.imports.render(),
    reader: entries.length === 0 ? undefined : reader,
    doc: docComment({ description, notes }, 0),
    name: identifier(type),
    type: aliasCode(union, `export type ${type} =`.length),
    head:
      head.length <= 80
        ? new Code(head)
        : new Code(
            `export function ${guard}(\n  error: unknown,\n): error is ${type} {`,
          ),
    check,
    prefix: literal(prefixOf(api)),
  });
}

/** What reads the bodies of a method's errors, for its descriptor. */
export function errorReader(
  { errors = [] }: Method,
  { api }: ClientContext,
  file: FileContext,
): Data | undefined {
  const shared = api.errors ?? [];
  if (hasForm(errors))
    return new Call(
      `/* @__PURE__ */ ${file.runtimeValue("describedErrors")}`,
      templatesOf(errors, shared),
    );
  if (!hasForm(shared)) return undefined;
  return new Code(file.imports.value(file.sibling("errors"), "errors"));
}

function hasForm(rules: Rules = []): boolean {
  return rules.some(({ body, schema }) => body !== undefined || !!schema);
}

/** Templates that differ from the one for all; a schema alone is an object. */
function templatesOf(own: Rules, shared: Rules): Templates {
  const general = bodyOf(shared.find(({ status }) => status === "default"));
  const templates: { [status: string]: Data } = {};
  for (const rule of [...shared, ...own]) {
    const body = bodyOf(rule);
    if (body !== undefined && rule.status !== "default")
      templates[rule.status] = dataOf(body);
  }
  if (general !== undefined) templates["default"] = dataOf(general);
  return templates;
}

function bodyOf(rule: ErrorRule | undefined): unknown {
  return rule?.body ?? (rule?.schema === undefined ? undefined : {});
}

/** JSON as generated code holds it. */
function dataOf(value: unknown): Data {
  if (value === null || value === undefined) return new Code("null");
  if (Array.isArray(value)) return value.map(dataOf);
  if (typeof value !== "object") return value as Data;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, dataOf(member)]),
  );
}

/** A row for each schema, with the statuses whose bodies have it. */
function errorType({ api }: ClientContext, file: FileContext): TypeTree {
  const described = generic.bind(undefined, file.runtimeType("DescribedError"));
  const types = file.schemaTypes();
  const shared = api.errors ?? [];
  const general = shared.find(({ status }) => status === "default")?.schema;
  const bodies = new Map<string, Set<string>>();
  for (const rules of [
    shared,
    ...methodsOf(api.root).map(({ errors = [] }) => errors),
  ])
    for (const { status, schema } of rules)
      if (schema !== undefined && schema !== general && status !== "default")
        bodies.set(schema, (bodies.get(schema) ?? new Set()).add(status));
  const row = (schema: string, statuses: TypeTree): TypeTree =>
    described(statuses, typeOf({ kind: "ref", id: schema }, "output", types));
  const rows = [...bodies].map(([schema, statuses]) =>
    row(schema, union([...statuses].sort().map(named))),
  );
  const listed = [...new Set([...bodies.values()].flatMap((all) => [...all]))];
  const all = named(file.runtimeType("ErrorStatus"));
  const rest =
    listed.length === 0
      ? all
      : generic("Exclude", all, union(listed.sort().map(named)));
  if (general !== undefined) rows.push(row(general, rest));
  return rows.length === 0 ? described(all, named("unknown")) : union(rows);
}

function union(of: readonly TypeTree[]): TypeTree {
  return of.length === 1 ? of[0]! : { kind: "union", of };
}

/** What the ids of all methods begin with, which errors tell. */
function prefixOf({ name, root }: Api): string {
  const prefix = `${name}.`;
  return methodsOf(root).every(({ id }) => id.startsWith(prefix)) ? prefix : "";
}
