import type { Method, Parameter, Resource } from "../../model/ir.js";
import type { Sink } from "../../diagnostics/sink.js";
import { NameScope } from "../../model/names.js";
import { methodsOf } from "../../model/queries.js";
import { requiredFields } from "../../model/queries.js";
import { patternForm, routesOf, uploadRoutes } from "../../model/routes.js";
import { Code, identifier } from "../../render/typescript/code.js";
import type { Engine } from "../../render/engine.js";
import { property, type Data } from "../../render/typescript/literals.js";
import { compilePattern } from "../../runtime/server/pattern.js";
import { findRouteConflicts } from "../../model/route-conflicts.js";
import { banner, type ClientContext } from "../shared/file-context.js";
import { scopesOf } from "../shared/scopes.js";
import { ServerFile } from "./context.js";
import { nameValidators, type ValidatorNames } from "../validator/index.js";
import { rulesData, rulesOf } from "./parameters.js";
import {
  credentialData,
  errorsData,
  linksData,
  listsProblems,
  requiredHeaders,
  streamData,
} from "./extensions.js";

type Entries = { readonly [key: string]: Data | undefined };

/** routes.ts: the methods with their routes and parameters, as data. */
export function routesFile(
  context: ClientContext,
  engine: Engine,
  sink: Sink,
): string {
  const { api } = context;
  const file = new ServerFile(context, new NameScope(["api"]));
  findRouteConflicts(api, sink);
  const table = new RouteTable(context, file, sink);
  const use = (name: string): Code => new Code(file.value(name));
  const entries: Entries = {
    name: api.name,
    servicePath: api.servicePath,
    batchPath: api.batchPath,
    batch: api.batchPath === undefined ? undefined : use("batch"),
    uploads: methodsOf(api.root).some(({ upload }) => upload !== undefined)
      ? use("uploads")
      : undefined,
    scopes: scopesOf(api).length > 0 ? scopesOf(api) : undefined,
    parameters: table.parameters(api.parameters),
    methods: table.methods(api.root),
    errors: errorsData(api.errors, api),
    documentation: api.errors === undefined ? undefined : api.documentationLink,
    wrap: api.features.includes("dataWrapper") || undefined,
  };
  return engine.render("server/routes", {
    banner: banner(context),
    name: identifier("api"),
    Api: identifier(file.type("Api")),
    entries: Object.entries(entries).flatMap(([key, value]) =>
      value === undefined ? [] : [new Code(property(key, value, 2))],
    ),
    imports: file.shared.imports.render(),
  });
}

function routeData(method: Method): Data {
  const routes = routesOf(method);
  return routes.length === 1 ? routes[0]! : routes;
}

/** Turns methods into rows. */
class RouteTable {
  readonly #scopes: ReadonlyMap<string, number>;
  readonly #definitions;
  readonly #validators: ValidatorNames;

  constructor(
    private readonly context: ClientContext,
    private readonly file: ServerFile,
    private readonly sink: Sink,
  ) {
    const { api } = context;
    this.#validators = nameValidators(api);
    this.#scopes = new Map(scopesOf(api).map((name, index) => [name, index]));
    this.#definitions = new Map(
      api.definitions.map((definition) => [definition.id, definition]),
    );
  }

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
    const { api } = this.context;
    const { id, name, httpMethod, scopes, download } = method;
    return {
      id,
      at: [...resource.path, name],
      verb: httpMethod === "GET" ? undefined : httpMethod,
      route: routeData(method),
      parameters: this.#own(method),
      body: this.#body(method),
      raw:
        method.rawRequest === true
          ? new Code(this.file.value("rawBody"))
          : undefined,
      validate:
        method.rawRequest === true
          ? undefined
          : this.#validate(method, this.#validators.requests),
      validateAnswer:
        method.rawResponse === true
          ? undefined
          : this.#validate(method, this.#validators.responses),
      scopes:
        scopes.length === 0
          ? undefined
          : scopes.map((scope) => this.#scopes.get(scope)!),
      forms: method.bodyParameters,
      credential: credentialData(method),
      stream: streamData(method),
      errors: errorsData(method.errors, api),
      invalidInput: listsProblems(method, api) ? 422 : undefined,
      status: method.status,
      paging: linksData(method),
      answerHeaders: requiredHeaders(method, this.context.options.trustProse),
      answers: method.response !== undefined || undefined,
      download: download?.service === true ? "service" : download && true,
      upload: method.upload === undefined ? undefined : upload(method, api),
    };
  }

  #validate(
    method: Method,
    names: ReadonlyMap<Method, string>,
  ): Code | undefined {
    const name = names.get(method);
    return name === undefined ? undefined : new Code(this.file.validator(name));
  }

  #own(method: Method): Entries | undefined {
    const { trustProse } = this.context.options;
    const { parameters, headers = [] } = method;
    if (parameters.length + headers.length === 0) return undefined;
    const own = parameters.map((one) => this.#checkable(one, method));
    const ofHeaders = headers.map((one): [string, Data] => [
      one.name,
      rulesData({ ...rulesOf(one, trustProse), in: "header" }),
    ]);
    return { ...this.parameters(own), ...Object.fromEntries(ofHeaders) };
  }

  /** The parameter without a pattern that its route has, or that can't be checked. */
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
        `${method.id}: the pattern of ${name} is not checked: ${pattern}`,
        `${method.pointer}/parameters/${name}`,
      );
    const { pattern: _, ...rest } = constraints;
    return { ...parameter, constraints: rest };
  }

  /** Content can be uploaded without a body that describes it. */
  #body(method: Method): "required" | "optional" | undefined {
    if (method.request === undefined) return undefined;
    if (method.upload !== undefined) return "optional";
    const { trustProse } = this.context.options;
    const demanded = requiredFields(method, this.#definitions, trustProse);
    return demanded.length > 0 ? "required" : "optional";
  }
}

function upload(method: Method, api: ClientContext["api"]): Entries {
  const { accept, maxBytes } = method.upload!;
  const ranges = accept.filter((range) => range !== "*/*");
  return {
    routes: uploadRoutes(method, api),
    accept: ranges.length > 0 ? ranges : undefined,
    maxSize: maxBytes,
  };
}
