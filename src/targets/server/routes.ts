import type { Sink } from "../../diagnostics/sink.js";
import {
  acceptedRanges,
  eventStream,
  isBodyRequired,
  requestForm,
} from "../../model/bodies.js";
import { invalidInputStatus } from "../../model/invalid-input.js";
import type {
  Api,
  Definition,
  ErrorRule,
  Method,
  Parameter,
  Resource,
  Schema,
} from "../../model/ir.js";
import { NameScope } from "../../model/names.js";
import { requiredHeaders } from "../../model/response-headers.js";
import { findRouteConflicts } from "../../model/route-conflicts.js";
import { patternForm, routesOf, uploadRoutes } from "../../model/routes.js";
import type { OutputFile } from "../../platform/output-file.js";
import type { Engine } from "../../render/engine.js";
import { Code, identifier, quote } from "../../render/typescript/code.js";
import { hang, print } from "../../render/typescript/layout.js";
import type { Data } from "../../render/typescript/literals.js";
import { compilePattern } from "../../runtime/server/routing/pattern.js";
import type { ApiContext } from "../shared/api-context.js";
import { type Entries, entryLines, jsonData } from "../shared/entries.js";
import { moduleFile, type ModuleView } from "../shared/module-file.js";
import type { DeclarationView } from "../shared/views.js";
import { rulesData, rulesOf } from "./parameter-rules.js";
import { ServerFile } from "./server-file.js";

/**
 * Prints routes.ts, which contains the table of methods with their routes and
 * parameters.
 */
export function routesFile(
  context: ApiContext,
  engine: Engine,
  sink: Sink,
): OutputFile {
  const { api, methods } = context;
  findRouteConflicts(api, sink);
  const scope = new NameScope(["api"]);
  const scopes = scopeConstants(context, scope);
  const file = new ServerFile(context, scope);
  const table = new RouteTable(context, file, scopes, sink);
  const use = (name: string): Code => new Code(file.value(name));
  const entries: Entries = {
    name: api.name,
    servicePath: api.servicePath,
    batchPath: api.batchPath,
    batch: api.batchPath === undefined ? undefined : use("batch"),
    uploads: methods.some(({ upload }) => upload !== undefined)
      ? use("uploads")
      : undefined,
    parameters: table.parameters(api.parameters),
    methods: table.methods(api.root),
    errors: errorsData(api.errors, context),
    documentation: api.errors === undefined ? undefined : api.documentationLink,
    wrap: api.features.includes("dataWrapper") || undefined,
  };
  const view: ModuleView<RoutesView> = {
    scopes: [...scopes].map(([url, name]) => constantCode(name.text, url)),
    name: identifier("api"),
    Api: identifier(file.type("ApiDefinition")),
    entries: entryLines(entries, 2),
  };
  const { imports } = file.shared;
  return moduleFile(
    { path: "routes", template: "server/routes", view, imports },
    context,
    engine,
  );
}

/**
 * Returns a map from each scope that a method lists to the name of its constant
 * in routes.ts.
 */
function scopeConstants(
  { names, methods }: ApiContext,
  scope: NameScope,
): ReadonlyMap<string, Code> {
  const listed = new Set(methods.flatMap((method) => method.scopes));
  return new Map(
    [...names.scopes]
      .filter(([url]) => listed.has(url))
      .map(([url, name]) => [url, identifier(scope.reserve(name))]),
  );
}

function constantCode(name: string, text: string): Code {
  return new Code(print([hang(`const ${name} =`, quote(text)), ";"]));
}

function routeData(method: Method): Data {
  const routes = routesOf(method);
  return routes.length === 1 ? routes[0]! : routes;
}

/** Builds the route table, which has one row for each method. */
class RouteTable {
  constructor(
    private readonly context: ApiContext,
    private readonly file: ServerFile,
    /** Names of the constants that contain scopes, keyed by scope. */
    private readonly scopes: ReadonlyMap<string, Code>,
    private readonly sink: Sink,
  ) {}

  parameters(parameters: readonly Parameter[]): Entries {
    const { trustProse } = this.context.options;
    return Object.fromEntries(
      parameters.map((parameter) => [
        parameter.name,
        rulesData(rulesOf(parameter, trustProse)),
      ]),
    );
  }

  methods(resource: Resource): Data[] {
    return [
      ...resource.methods.map((method) => this.#row(method, resource)),
      ...resource.children.flatMap((child) => this.methods(child)),
    ];
  }

  #row(method: Method, resource: Resource): Entries {
    const { api, names, options } = this.context;
    const { requests, responses } = names.validators;
    const { id, name, httpMethod, scopes, download } = method;
    const isContent = requestForm(method) === "content";
    const headers = requiredHeaders(method, options.trustProse);
    return {
      id,
      at: [...resource.path, name],
      httpMethod: httpMethod === "GET" ? undefined : httpMethod,
      route: routeData(method),
      parameters: this.#parameters(method),
      body: bodyData(method),
      raw: isContent ? new Code(this.file.value("rawBody")) : undefined,
      validate: isContent ? undefined : this.#validate(requests.get(method)),
      validateResponse:
        method.rawResponse === true
          ? undefined
          : this.#validate(responses.get(method)),
      scopes:
        scopes.length === 0
          ? undefined
          : scopes.map((url) => this.scopes.get(url)!),
      forms: method.bodyParameters,
      credential: credentialData(method),
      stream: streamData(method),
      errors: errorsData(method.errors, this.context),
      invalidInput: invalidInputStatus(method, api),
      status: method.status,
      paging: linksData(method),
      responseHeaders: headers.length > 0 ? headers : undefined,
      hasResponse: method.response !== undefined || undefined,
      download: download?.service === true ? "service" : download && true,
      upload: method.upload === undefined ? undefined : upload(method, api),
    };
  }

  #validate(name: string | undefined): Code | undefined {
    return name === undefined ? undefined : new Code(this.file.validator(name));
  }

  #parameters(method: Method): Entries | undefined {
    const { trustProse } = this.context.options;
    const { parameters, headers = [] } = method;
    if (parameters.length + headers.length === 0) return undefined;
    const checked = parameters.map((one) => this.#checkable(one, method));
    const headerRules = headers.map((one): [string, Data] => [
      one.name,
      rulesData({ ...rulesOf(one, trustProse), in: "header" }),
    ]);
    return {
      ...this.parameters(checked),
      ...Object.fromEntries(headerRules),
    };
  }

  /**
   * Removes the pattern of a parameter if every path that matches the route
   * also matches the pattern, or if the server can't check the pattern.
   */
  #checkable(parameter: Parameter, method: Method): Parameter {
    const { constraints, name } = parameter;
    const { pattern } = constraints;
    if (pattern === undefined) return parameter;
    const isRouted = method.tokens.some(
      (token) => token.kind === "multi" && token.name === name,
    );
    const isImplied = isRouted && patternForm(pattern) !== undefined;
    if (!isImplied && compilePattern(pattern) !== undefined) return parameter;
    if (!isImplied)
      this.sink.report(
        "pattern-unsupported",
        `${method.id}: the server can't check the pattern of ${name}: ${pattern}`,
        `${method.pointer}/parameters/${name}`,
      );
    const { pattern: _, ...rest } = constraints;
    return { ...parameter, constraints: rest };
  }
}

function bodyData(method: Method): "required" | "optional" | undefined {
  if (requestForm(method) === "none") return undefined;
  return isBodyRequired(method) ? "required" : "optional";
}

function upload(method: Method, api: Api): Entries {
  const definition = method.upload!;
  return {
    routes: uploadRoutes(method, api),
    accept: acceptedRanges(definition),
    maxSize: definition.maxBytes,
  };
}

/**
 * Returns error rules (`x-errors`), keyed by status. Each rule contains JSON
 * pointers to the strings in its body template that the server can replace with
 * null or with numbers.
 */
export function errorsData(
  rules: readonly ErrorRule[] | undefined,
  context: ApiContext,
): Entries | undefined {
  if (rules === undefined) return undefined;
  const entries = rules.map((rule) => {
    const { status, schema, body, description: _, ...texts } = rule;
    const pointers =
      body === undefined
        ? undefined
        : valuePointers(body, bodySchema(schema, rules, context), context);
    const entry: Entries = {
      body: body === undefined ? undefined : jsonData(body),
      ...(texts as Entries),
      ...pointers,
    };
    return [status, entry] as const;
  });
  const nonEmpty = entries.filter(([, entry]) =>
    Object.values(entry).some((value) => value !== undefined),
  );
  return nonEmpty.length === 0 ? undefined : Object.fromEntries(nonEmpty);
}

/**
 * Returns the definition of an error body: the rule's own definition if it has
 * one, otherwise that of the default rule.
 */
function bodySchema(
  schema: string | undefined,
  rules: readonly ErrorRule[],
  { api, definitions }: ApiContext,
): Definition | undefined {
  const id =
    schema ??
    [...rules, ...(api.errors ?? [])].find(
      (rule) => rule.status === "default" && rule.schema !== undefined,
    )?.schema;
  return id === undefined ? undefined : definitions.get(id);
}

/**
 * Returns JSON pointers to the strings in a body template that the server can
 * replace with null or with numbers.
 */
function valuePointers(
  body: unknown,
  definition: Definition | undefined,
  context: ApiContext,
): Entries {
  const nullable: string[] = [];
  const numbers: string[] = [];
  const visit = (
    value: unknown,
    schema: Schema | undefined,
    pointer: string,
  ): void => {
    if (typeof value === "string") {
      if (schema?.nullable === true) nullable.push(pointer);
      if (isNumeric(schema)) numbers.push(pointer);
    } else if (Array.isArray(value)) {
      const items = schema?.kind === "list" ? schema.items : undefined;
      value.forEach((item, index) => visit(item, items, `${pointer}/${index}`));
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value))
        visit(
          member,
          memberSchema(schema, name, context),
          `${pointer}/${name}`,
        );
    }
  };
  if (definition !== undefined)
    visit(body, { kind: "ref", id: definition.id }, "");
  return {
    nullable: nullable.length > 0 ? nullable : undefined,
    numbers: numbers.length > 0 ? numbers : undefined,
  };
}

function isNumeric(schema: Schema | undefined): boolean {
  return (
    schema?.kind === "scalar" &&
    (schema.type === "integer" || schema.type === "number")
  );
}

function memberSchema(
  schema: Schema | undefined,
  name: string,
  { definitions }: ApiContext,
): Schema | undefined {
  if (schema?.kind !== "ref") return undefined;
  const body = definitions.get(schema.id)?.body;
  if (body?.kind !== "object") return undefined;
  return body.fields.find((field) => field.name === name)?.schema;
}

/**
 * Returns the name and schemes of the header that contains the credential
 * (`x-credential`); undefined if no header contains a credential. A credential
 * in the query string is an ordinary parameter.
 */
export function credentialData({ credential }: Method): Entries | undefined {
  if (credential?.in !== "header") return undefined;
  const { name, schemes } = credential;
  return { header: name, schemes: schemes.length > 0 ? schemes : undefined };
}

/**
 * Returns the conditions under which a response is an event stream, and the
 * data of its last event (`x-stream`).
 */
export function streamData(method: Method): Entries | undefined {
  const events = eventStream(method);
  if (events === undefined) return undefined;
  return { when: jsonData(events.when ?? {}), end: events.end };
}

/**
 * Returns the parameters and the response header of pagination with page links
 * (`x-paging`).
 */
export function linksData({ links }: Method): Entries | undefined {
  if (links === undefined) return undefined;
  const { page, size, link } = links;
  return { page, size, link };
}

declare module "../../render/engine.js" {
  interface TemplateViews {
    "server/routes": RoutesView;
    "server/server": ServerView;
  }
}

/** Template data for routes.ts, the file with the route table. */
export interface RoutesView {
  readonly banner: Code;
  readonly imports: Code;
  /** Constants that contain the OAuth scopes of the methods. */
  readonly scopes: readonly Code[];
  readonly name: Code;
  readonly Api: Code;
  readonly entries: readonly Code[];
}

/** Template data for server.ts, the file with the service interfaces. */
export interface ServerView {
  readonly banner: Code;
  readonly imports: Code;
  readonly declarations: readonly DeclarationView[];
  /** First line of the function that creates the server. */
  readonly create: Code;
  readonly createServer: Code;
  readonly api: Code;
}
