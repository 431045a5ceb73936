import { eventStream, hasUploadProtocol } from "../../model/bodies.js";
import { isBinding } from "../../model/infer/field-flags.js";
import type {
  Body,
  Constraints,
  Definition,
  FieldFlags,
  Method,
  Schema,
} from "../../model/ir.js";
import { NameScope } from "../../model/names.js";
import {
  forEachRef,
  methodsRequiring,
  reachable,
} from "../../model/queries.js";
import type { OutputFile } from "../../platform/output-file.js";
import { Code, identifier, quote } from "../../render/typescript/code.js";
import {
  bareList,
  callOf,
  ENTRIES,
  print,
} from "../../render/typescript/layout.js";
import type { Data } from "../../render/typescript/literals.js";
import type { ApiContext } from "../shared/api-context.js";
import { banner } from "../shared/banner.js";
import { type Entries, entryLines, jsonData } from "../shared/entries.js";
import { FileContext } from "../shared/file-context.js";
import { moduleFile, type ModuleView } from "../shared/module-file.js";
import type { CodeTarget, TargetInput } from "../target.js";

const TYPE = "application/x-conformance";

/** Target that generates tests of an API's client against its server. */
export const conformanceTarget: CodeTarget = {
  name: "conformance",
  runtime: "conformance",
  implies: ["client", "validator", "server"],
  generate,
};

function generate({ engine, ...context }: TargetInput): OutputFile[] {
  if (context.methods.length === 0) return []; // no server
  return [checksFile(context, engine), testFile(context, engine)];
}

/** Returns the import path of a module of the conformance runtime. */
function runtime({ options }: ApiContext, module: string): string {
  const { runtimeModule, importSuffix } = options;
  return runtimeModule === undefined
    ? `../../runtime/conformance/${module}${importSuffix}`
    : `${runtimeModule}/conformance/${module}`;
}

/**
 * Prints conformance.ts, which contains the test plan and the function that
 * returns the checks.
 */
function checksFile(
  context: ApiContext,
  engine: TargetInput["engine"],
): OutputFile {
  const { names } = context;
  const scope = new NameScope(["conformance", "plan", "options"]);
  const { imports, ...file } = fileOf(context, scope);
  const core = runtime(context, "core");
  const createClient = `create${names.title}`;
  const createServer = `create${names.title}Server`;
  const types = {
    Plan: identifier(imports.type(core, "ConformancePlan")),
    Check: identifier(imports.type(core, "Check")),
    Options: identifier(imports.type(core, "ConformanceOptions")),
  };
  const checksOf = identifier(imports.value(core, "checksOf"));
  const routes = imports.value(file.sibling("routes"), "api");
  const members = [
    routes === "api" ? "api" : `api: ${routes}`,
    "plan",
    `createClient: ${imports.value(file.sibling("client"), createClient)}`,
    `createServer: ${imports.value(file.sibling("server"), createServer)}`,
  ];
  const view: ModuleView<ConformanceView> = {
    ...types,
    entries: entryLines(planData(context), 2),
    call: call(checksOf, members),
  };
  return moduleFile(
    {
      path: "conformance",
      template: "conformance/conformance",
      view,
      imports,
    },
    context,
    engine,
  );
}

function fileOf(
  context: ApiContext,
  scope: NameScope,
): { imports: FileContext["imports"]; sibling: (name: string) => string } {
  const file = new FileContext(context, scope, "./");
  return { imports: file.imports, sibling: (name) => file.sibling(name) };
}

/** Prints the statement that returns the checks. */
function call(name: Code, members: readonly string[]): Code {
  const sides = bareList("{", members, "}", ENTRIES);
  const checks = callOf(`return ${name.text}`, sides, "options");
  return new Code(`  ${print([checks, ";"], 2)}`);
}

/**
 * Prints conformance.test.ts, which registers the checks with the test runner
 * that executes the file.
 */
function testFile(
  context: ApiContext,
  engine: TargetInput["engine"],
): OutputFile {
  const { api, names, options } = context;
  const { imports, sibling } = fileOf(context, new NameScope());
  const register = imports.value(runtime(context, "runner"), "register");
  const checks = imports.value(sibling("conformance"), "conformance");
  const view: RegisterView = {
    banner: banner(api, options),
    call: registration(register, `${api.name}:${api.version}`, checks),
    imports: imports.render(),
  };
  const path = `${names.folder}/conformance.test.ts`;
  return { path, text: engine.render("conformance/register", view) };
}

/**
 * Prints the statement that registers the checks. A long statement is broken
 * across lines.
 */
function registration(register: string, id: string, checks: string): Code {
  const args = [quote(id), `${checks}()`];
  return new Code(print([callOf(`void ${register}`, ...args), ";"]));
}

/** Returns a definition in the format of the test plan. */
function definitionData({ body }: Definition, trustProse: boolean): Data {
  switch (body.kind) {
    case "enum":
      return { enum: body.values.map(({ value }) => value) };
    case "alias":
      return typeData(body.schema, {}, {}, trustProse);
    case "variant":
      return {
        variant: body.discriminant,
        options: Object.fromEntries(
          body.options.map(({ value, id }) => [value, id]),
        ),
        base: body.base,
      };
    case "union":
      return {
        oneOf: body.options.map((option) =>
          typeData(option, {}, {}, trustProse),
        ),
      };
    case "object":
      return objectData(body, trustProse);
  }
}

function objectData(
  { fields, additional }: Extract<Body, { kind: "object" }>,
  trustProse: boolean,
): Data {
  return {
    fields: Object.fromEntries(
      fields.map(({ name, schema, flags, constraints }) => [
        name,
        typeData(schema, flags, constraints, trustProse),
      ]),
    ),
    additional:
      additional === undefined
        ? undefined
        : typeData(additional, {}, {}, trustProse),
  };
}

/**
 * Returns a schema, with the flags and constraints of its field, in the format
 * of the test plan.
 */
function typeData(
  schema: Schema,
  flags: FieldFlags,
  constraints: Constraints,
  trustProse: boolean,
): Data {
  const limits = { ...schema.constraints, ...constraints };
  const required = methodsRequiring(flags, trustProse);
  const rules: Entries = {
    minimum: limits.minimum,
    maximum: limits.maximum,
    pattern: limits.pattern,
    readOnly: isBinding(flags.readOnly, trustProse) || undefined,
    present: isBinding(flags.present, trustProse) || undefined,
    required: required.length > 0 ? required : undefined,
  };
  const plain = plainData(schema, trustProse, limits.format);
  const values = limits.values?.map(({ value }) => value);
  const isPlain = Object.values(rules).every((rule) => rule === undefined);
  if (isPlain && values === undefined) return plain;
  return { of: plain, ...rules };
}

function plainData(
  schema: Schema,
  trustProse: boolean,
  format: string | undefined,
): Data {
  switch (schema.kind) {
    case "any":
      return "any";
    case "ref":
      return `#${schema.id}`;
    case "enum":
      return { enum: schema.values.map(({ value }) => value) };
    case "list":
      return [typeData(schema.items, {}, {}, trustProse)];
    case "map":
      return { map: typeData(schema.values, {}, {}, trustProse) };
    case "scalar": {
      const form = schema.format ?? format;
      return form === undefined ? schema.type : `${schema.type}:${form}`;
    }
  }
}

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

declare module "../../render/engine.js" {
  interface TemplateViews {
    "conformance/conformance": ConformanceView;
    "conformance/register": RegisterView;
  }
}

/** Template data for conformance.ts. */
export interface ConformanceView {
  readonly banner: Code;
  readonly imports: Code;
  readonly Plan: Code;
  readonly Check: Code;
  readonly Options: Code;
  readonly entries: readonly Code[];
  /** Statement that returns the checks. */
  readonly call: Code;
}

/** Template data for conformance.test.ts. */
export interface RegisterView {
  readonly banner: Code;
  readonly imports: Code;
  /** Statement that registers the checks. */
  readonly call: Code;
}
