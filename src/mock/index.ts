import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { reportFailure } from "../generate/failures.js";
import type { Api } from "../model/ir.js";
import { readModels, type LoadResult } from "../generate/read-model.js";
import type { Incoming, Outgoing } from "../runtime/server/request.js";
import type { MockOptions } from "./options.js";
import { buildMock } from "./build.js";
import {
  findSharedPrefix,
  matchesPrefix,
  pathPrefixesOf,
} from "./path-prefixes.js";

/** Mock server of one API. */
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
