import { transform } from "sucrase";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { reportFailure } from "../generate/failures.js";
import { type LoadResult, readModels } from "../generate/read-model.js";
import { renderApi } from "../generate/render-api.js";
import type { Api, Api as Model, Method } from "../model/ir.js";
import { methodsOf } from "../model/queries.js";
import * as batch from "../runtime/server/batch.js";
import type { ApiDefinition } from "../runtime/server/contract.js";
import type { ServerOptions } from "../runtime/server/options.js";
import * as rawBody from "../runtime/server/raw-body.js";
import type { Incoming, Outgoing } from "../runtime/server/request.js";
import { createServer, type Server } from "../runtime/server/server.js";
import * as uploads from "../runtime/server/uploads.js";
import * as containers from "../runtime/validator/containers.js";
import * as expected from "../runtime/validator/expected.js";
import * as fields from "../runtime/validator/fields.js";
import * as limits from "../runtime/validator/limits.js";
import * as scalars from "../runtime/validator/scalars.js";
import * as validate from "../runtime/validator/validate.js";
import * as union from "../runtime/validator/union.js";
import * as variant from "../runtime/validator/variant.js";
import { serverTarget } from "../targets/server/index.js";
import { validatorTarget } from "../targets/validator/index.js";
import { Handlers } from "./handlers.js";
import { rolesOf } from "./roles.js";
import { Store } from "./store.js";
import { ValueMaker } from "./values.js";

export interface MockedApi {
  /** Name of the API, such as `drive`. */
  readonly name: string;
  readonly version: string;
  /** Path prefix of the API: `/`, or `/<name>/<version>/`. */
  readonly root: string;
  /**
   * Prefixes of the paths that the mock serves, in the format of
   * `Service.paths`.
   */
  readonly paths: readonly string[];
  /**
   * Path for batch requests. The mock handles it only if no other mocked API
   * has the same path.
   */
  readonly batchPath: string | undefined;
  handle(request: Incoming): Outgoing | Promise<Outgoing>;
  close(): Promise<void>;
}

/**
 * Mocks of several documents. The list of mocks is incomplete if `diagnostics`
 * contains an error.
 */
export interface StartedMocks {
  readonly apis: readonly MockedApi[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Starts mocks of the documents that `--spec` selects. Never throws. */
export async function startMock(
  specs: readonly string[],
  options: MockOptions = {},
): Promise<StartedMocks> {
  const { models, diagnostics } = await readModels(specs, {
    cwd: options.cwd,
  });
  return mockDocuments(models, options, diagnostics);
}

/** Starts mocks of documents that are already loaded. */
export function mockDocuments(
  models: readonly LoadResult[],
  options: MockOptions,
  before: readonly Diagnostic[] = [],
): StartedMocks {
  const diagnostics = [...before];
  const apis: MockedApi[] = [];
  for (const { api, diagnostics: documentDiagnostics } of models) {
    diagnostics.push(...documentDiagnostics);
    const sink = new Sink(documentDiagnostics[0]?.file);
    try {
      const mockedApi = api && buildMockedApi(api, options);
      if (mockedApi !== undefined && hasUniquePaths(mockedApi, apis, sink))
        apis.push(mockedApi);
    } catch (error) {
      reportFailure(error, sink);
    }
    diagnostics.push(...sink.diagnostics);
  }
  return { apis, diagnostics };
}

function buildMockedApi(model: Api, options: MockOptions): MockedApi {
  const { name, version, batchPath } = model;
  const base =
    options.prefix === true
      ? `/${encodeURIComponent(name)}/${encodeURIComponent(version)}`
      : "";
  const server = buildMock(model, {
    seed: options.seed ?? "1",
    strict: options.strict === true,
    server: {
      validateResponses: options.validateResponses === true,
      ...(base === "" ? {} : { basePath: base }),
    },
  });
  return {
    name,
    version,
    root: `${base}/`,
    paths: base === "" ? pathPrefixesOf(server.api) : [`${base}/`],
    batchPath: batchPath === undefined ? undefined : `${base}/${batchPath}`,
    handle: (request) => server.handle(request),
    close: () => server.close(),
  };
}

function hasUniquePaths(
  mockedApi: MockedApi,
  others: readonly MockedApi[],
  sink: Sink,
): boolean {
  for (const other of others) {
    const prefix = findSharedPrefix(mockedApi.paths, other.paths);
    if (prefix === undefined) continue;
    sink.report(
      "mock-clash",
      `${mockedApi.name}:${mockedApi.version} and ${other.name}:${other.version} must not both serve ${prefix}`,
    );
    return false;
  }
  return true;
}

/**
 * Passes a request to the mock that serves its path. If there is only one mock,
 * it receives all requests.
 */
export function dispatchToMock(
  apis: readonly MockedApi[],
  request: Incoming,
): Outgoing | Promise<Outgoing> {
  const { target } = request;
  const selected =
    apis.length === 1
      ? apis[0]
      : (apis.find(({ paths }) => matchesPrefix(target, paths)) ??
        mockWithBatchPath(apis, target));
  return selected?.handle(request) ?? notFound();
}

function mockWithBatchPath(
  apis: readonly MockedApi[],
  target: string,
): MockedApi | undefined {
  const candidates = apis.filter(
    ({ batchPath }) =>
      batchPath !== undefined && matchesPrefix(target, [batchPath]),
  );
  return candidates.length === 1 ? candidates[0] : undefined;
}

function notFound(): Outgoing {
  return {
    status: 404,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: '{"error":{"code":404,"message":"No mocked API has this path."}}\n',
  };
}

type Exports = Readonly<Record<string, unknown>>;

/**
 * Runtime modules that generated modules import, keyed by the last segments of
 * the import specifier.
 */
const RUNTIME: Readonly<Record<string, Exports>> = {
  "server/batch": batch,
  "server/raw-body": rawBody,
  "server/uploads": uploads,
  "validator/containers": containers,
  "validator/expected": expected,
  "validator/fields": fields,
  "validator/limits": limits,
  "validator/scalars": scalars,
  "validator/union": union,
  "validator/validate": validate,
  "validator/variant": variant,
};

/**
 * Executes the source code of a generated routes.ts or validators.ts without
 * files: sucrase removes the types and converts imports to calls of `require`.
 *
 * @param siblings exports of modules in the same folder, keyed by module name
 */
function evaluate(
  text: string,
  siblings: Readonly<Record<string, Exports>> = {},
): Exports {
  const { code } = transform(text, {
    transforms: ["typescript", "imports"],
    disableESTransforms: true,
  });
  const require = (specifier: string): Exports => {
    const name = specifier.replace(/^.*\/runtime\/|^\.\/|\.js$/g, "");
    return RUNTIME[name] ?? siblings[name]!;
  };
  const exports: Record<string, unknown> = {};
  new Function("require", "exports", code)(require, exports);
  return exports;
}

interface MockSettings {
  /** Seed of the generated data. */
  readonly seed: string;
  /**
   * True to require API keys, and to respond with 404 for a resource that is
   * not in the list of its collection.
   */
  readonly strict: boolean;
  readonly server?: ServerOptions;
}

/**
 * Builds a server whose handlers generate their responses. An exception means
 * that the generator has a bug.
 */
export function buildMock(model: Model, settings: MockSettings): Server {
  const api = buildRouteTable(model);
  const definitions = new Map(
    model.definitions.map((definition) => [definition.id, definition]),
  );
  const methods = methodsOf(model.root);
  const context = {
    api: model,
    definitions,
    maker: new ValueMaker(definitions),
    store: new Store(),
    seed: settings.seed,
    strict: settings.strict,
  };
  const handlers = new Handlers(context, rolesOf(methods, definitions));
  return createServer(
    withNumberedPaths(api, settings.strict),
    serviceOf(methods, handlers),
    settings.server,
  );
}

/** Builds the route table and validators by executing the generated code. */
export function buildRouteTable(model: Model): ApiDefinition {
  if (methodsOf(model.root).length === 0) return EMPTY_API;
  const textOf = renderApi(model, [serverTarget, validatorTarget]);
  const validators = evaluate(textOf("validators.ts"));
  return evaluate(textOf("routes.ts"), { validators })["api"] as ApiDefinition;
}

const EMPTY_API: ApiDefinition = {
  name: "",
  servicePath: "",
  parameters: {},
  methods: [],
};

/**
 * Replaces the property paths of handlers with numbered names, because names in
 * a document are not always valid property paths.
 */
function withNumberedPaths(api: ApiDefinition, strict: boolean): ApiDefinition {
  const methods = api.methods.map(({ credential, ...method }, index) => ({
    ...method,
    ...(strict && credential !== undefined ? { credential } : {}),
    at: [`method${index}`],
  }));
  return { ...api, methods };
}

function serviceOf(methods: readonly Method[], handlers: Handlers): object {
  return Object.fromEntries(
    methods.map((method, index) => [
      `method${index}`,
      handlers.handlerOf(method),
    ]),
  );
}

/**
 * Returns the path prefixes of an API in the format of `Service.paths`: for
 * each path, the segments before the first variable, with a trailing slash. The
 * path for batch requests is excluded, because many APIs share it.
 */
function pathPrefixesOf(api: ApiDefinition): string[] {
  const { servicePath } = api;
  const calls = api.methods.flatMap(({ route, download }) =>
    [route].flat().flatMap((template) => {
      const path = servicePath + template;
      return download === "service" ? [path, `download/${path}`] : [path];
    }),
  );
  const uploads = api.methods.flatMap(({ upload }) => upload?.routes ?? []);
  const prefixes = [...calls, ...uploads].map(fixedPrefixOf);
  return [...new Set(prefixes)].filter(
    (prefix) =>
      !prefixes.some(
        (other) => other !== prefix && isUnderPrefix(prefix, other),
      ),
  );
}

/**
 * Returns the part of a path template before its first variable, such as
 * `/v1/projects/` for `v1/{name=projects/*}`. A path without variables is
 * returned unchanged.
 */
function fixedPrefixOf(route: string): string {
  const form = route.replace(/\{[^{}=]*(?:=([^{}]*))?\}/g, (_, form = "*") =>
    String(form),
  );
  const end = form.indexOf("*");
  const fixed =
    end === -1 ? form : form.slice(0, form.lastIndexOf("/", end) + 1);
  return `/${fixed}`;
}

function isUnderPrefix(path: string, start: string): boolean {
  return start.endsWith("/") && path.startsWith(start);
}

/**
 * Returns a prefix in `some` that overlaps with a prefix in `others`: both are
 * equal, or one starts with the other.
 */
function findSharedPrefix(
  some: readonly string[],
  others: readonly string[],
): string | undefined {
  return some.find((prefix) =>
    others.some(
      (other) =>
        prefix === other ||
        isUnderPrefix(prefix, other) ||
        isUnderPrefix(other, prefix),
    ),
  );
}

/** Tests whether the path of a request starts with one of the prefixes. */
function matchesPrefix(target: string, prefixes: readonly string[]): boolean {
  const [path = "/"] = target.split("?", 1);
  return prefixes.some(
    (prefix) => path === prefix || isUnderPrefix(path, prefix),
  );
}

/** Options of `mock`, which starts an in-memory mock. */
export interface MockOptions {
  /** Seed of the generated data. Default: `"1"`. */
  readonly seed?: string | undefined;
  /**
   * True to require API keys, and to respond with 404 for a resource that is
   * not in the list of its collection. Default: false.
   */
  readonly strict?: boolean | undefined;
  /**
   * True to serve each API below `/<name>/<version>/`, for APIs with
   * conflicting paths. Default: false.
   */
  readonly prefix?: boolean | undefined;
  /**
   * True to validate responses of the mock against the schemas. An invalid
   * response is replaced with a 500 response. Default: false.
   */
  readonly validateResponses?: boolean | undefined;
  /**
   * Folder against which relative paths are resolved. Default: the working
   * directory.
   */
  readonly cwd?: string | undefined;
}
