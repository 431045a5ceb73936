import http from "node:http";
import { suggestion } from "../diagnostics/closest.js";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { reportFailure } from "../generate/failures.js";
import { type LoadResult, readModels } from "../generate/read-model.js";
import type { Api } from "../model/ir.js";
import { HostNames, isLoopback } from "../platform/host-names.js";
import { listen } from "../runtime/server/listen.js";
import type { Incoming, Outgoing } from "../runtime/server/request.js";
import type { ServerOptions } from "../runtime/server/options.js";
import { buildMock } from "./build.js";
import { Control } from "./control.js";
import {
  checkApiNames,
  DataError,
  dataOfApi,
  readData,
  type MockData,
} from "./data.js";
import { Fake, misdirected } from "./fake.js";
import type { MockOptions } from "./options.js";
import type { DataOf, MockedApi } from "./mocked-api.js";
import { findSharedPrefix, pathPrefixesOf } from "./paths.js";

export { isReset, misdirected } from "./fake.js";
export { buildMock } from "./build.js";
export { buildRouteTable } from "./route-table.js";
export type { MockOptions } from "./options.js";

/**
 * Milliseconds for which a mock keeps idle connections open. Clients such as
 * httplib2 fail if the connection is closed while a test is paused.
 */
export const KEEP_ALIVE = 300_000;

/** Mocks of several documents; `fake` is absent if a finding is an error. */
export interface StartedMocks {
  readonly fake?: Fake;
  readonly diagnostics: readonly Diagnostic[];
}

/** Options of the mocks that are not part of the public API. */
interface StartOptions extends MockOptions {
  /** Function that receives an entry for each request. */
  readonly log?: ServerOptions["log"];
}

/** Starts mocks of the documents that `--spec` selects. Never throws. */
export async function startMock(
  specs: readonly string[],
  options: StartOptions = {},
): Promise<StartedMocks> {
  const { models, diagnostics } = await readModels(specs, {
    cwd: options.cwd,
  });
  return mockDocuments(models, options, diagnostics);
}

/** Starts mocks of documents that are already loaded. */
export function mockDocuments(
  models: readonly LoadResult[],
  options: StartOptions,
  before: readonly Diagnostic[] = [],
): StartedMocks {
  const diagnostics = [...before];
  const apis: MockedApi[] = [];
  const common = new Sink();
  const described = models.flatMap(({ api }) => api ?? []);
  if (models.length === 0 && before.length === 0)
    common.report("mock-data", "a mock must have at least one document");
  const settings = settingsOf(options, models.length, described, common);
  for (const { api, document, diagnostics: documentDiagnostics } of models) {
    diagnostics.push(...documentDiagnostics);
    const sink = new Sink(documentDiagnostics[0]?.file);
    try {
      const mockedApi =
        api && settings && buildMockedApi(api, document, options, settings);
      if (mockedApi !== undefined && hasUniquePaths(mockedApi, apis, sink))
        apis.push(mockedApi);
    } catch (error) {
      if (error instanceof DataError) sink.report("mock-data", error.message);
      else reportFailure(error, sink);
    }
    diagnostics.push(...sink.diagnostics);
  }
  diagnostics.push(...common.diagnostics);
  const hasError = diagnostics.some(({ severity }) => severity === "error");
  if (hasError || settings === undefined) return { diagnostics };
  const { control, dataOf } = settings;
  return { fake: new Fake(apis, control, dataOf), diagnostics };
}

/** Settings that all mocked APIs share. */
interface CommonSettings {
  readonly control: Control;
  /** Returns the part of some data that belongs to an API. */
  readonly dataOf: DataOf;
  readonly data: MockData;
  readonly handlers: (api: Api) => object;
}

/** Names of the options; callers without types can misspell them. */
const OPTIONS: Readonly<Record<keyof StartOptions, true>> = {
  seed: true,
  strict: true,
  empty: true,
  data: true,
  handlers: true,
  latency: true,
  prefix: true,
  validateResponses: true,
  cwd: true,
  log: true,
};

/** @throws DataError for an option that mocks do not have */
function checkOptions(options: StartOptions): void {
  const known = Object.keys(OPTIONS);
  for (const name of Object.keys(options))
    if (!known.includes(name))
      throw new DataError(
        `a mock has no option ${JSON.stringify(name.slice(0, 100))}${suggestion(name, known)}`,
      );
}

function settingsOf(
  options: StartOptions,
  count: number,
  apis: readonly Api[],
  sink: Sink,
): CommonSettings | undefined {
  const { latency, seed = "1", data = {}, handlers = {}, cwd } = options;
  const isSeveral = count > 1;
  const dataOf: DataOf = (all, { name, version }) =>
    isSeveral ? dataOfApi(all, name, version) : all;
  try {
    const read =
      typeof data === "string" ? readData(data, cwd ?? process.cwd()) : data;
    checkOptions(options);
    if (isSeveral && apis.length === count)
      checkApiNames({ ...read, ...handlers }, apis);
    return {
      control: new Control(latency, seed),
      dataOf,
      data: read,
      handlers: (api) => (isSeveral ? dataOf(handlers, api) : handlers),
    };
  } catch (error) {
    if (!(error instanceof DataError || error instanceof RangeError))
      throw error;
    sink.report("mock-data", error.message);
    return undefined;
  }
}

function buildMockedApi(
  model: Api,
  document: MockedApi["document"] = {},
  options: StartOptions,
  { control, dataOf, data, handlers }: CommonSettings,
): MockedApi {
  const { name, version, batchPath } = model;
  const base =
    options.prefix === true
      ? `/${encodeURIComponent(name)}/${encodeURIComponent(version)}`
      : "";
  const { log } = options;
  const server = buildMock(model, {
    seed: options.seed ?? "1",
    strict: options.strict === true,
    empty: options.empty === true,
    control,
    handlers: handlers(model),
    server: {
      validateResponses: options.validateResponses === true,
      ...(log === undefined ? {} : { log }),
      ...(base === "" ? {} : { basePath: base }),
    },
  });
  server.load(dataOf(data, model));
  return {
    name,
    version,
    root: `${base}/`,
    paths: base === "" ? pathPrefixesOf(server.api) : [`${base}/`],
    batchPath: batchPath === undefined ? undefined : `${base}/${batchPath}`,
    host: hostOf(model.rootUrl),
    document,
    serves: (target) => server.serves(target),
    handle: (request) => server.handle(request),
    close: () => server.close(),
    server,
  };
}

function hostOf(rootUrl: string): string {
  return URL.canParse(rootUrl) ? new URL(rootUrl).hostname : "";
}

/**
 * Reports an API whose paths conflict with those of another API with the same
 * host. APIs with other hosts are distinguished by the host of the request.
 */
function hasUniquePaths(
  mockedApi: MockedApi,
  others: readonly MockedApi[],
  sink: Sink,
): boolean {
  for (const other of others) {
    const prefix = findSharedPrefix(mockedApi.paths, other.paths);
    const hasOwnHost =
      mockedApi.host !== other.host && mockedApi.name !== other.name;
    if (prefix === undefined || hasOwnHost) continue;
    sink.report(
      "mock-clash",
      `${mockedApi.name}:${mockedApi.version} and ${other.name}:${other.version} must not both serve ${prefix}`,
    );
    return false;
  }
  return true;
}

/**
 * Serves a mock on an address. A mock on the loopback interface rejects host
 * names of other machines, except those of the mocked APIs, as a protection
 * against DNS rebinding.
 *
 * @throws the error that prevents Node from listening
 */
export async function listenTo(
  fake: Fake,
  port: number,
  host: string,
): Promise<{ port: number; rootUrl: string; close(): Promise<void> }> {
  const names = isLoopback(host) ? new HostNames(fake.hosts) : undefined;
  const handle = (request: Incoming): Outgoing | Promise<Outgoing> =>
    names?.allows(request.header("host")) === false
      ? misdirected()
      : fake.handle(request);
  const { port: actual, close } = await listen(
    http,
    { handle, close: () => fake.close() },
    { port, host, options: { keepAliveTimeout: KEEP_ALIVE } },
  );
  const name = host.includes(":") ? `[${host}]` : host;
  return { port: actual, rootUrl: `http://${name}:${actual}/`, close };
}
