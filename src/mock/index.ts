import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { reportFailure } from "../generate/failures.js";
import type { Api } from "../model/ir.js";
import { readModels, type LoadResult } from "../generate/read-model.js";
import type { Incoming, Outgoing } from "../runtime/server/request.js";
import type { MockOptions } from "./api.js";
import { buildMock } from "./build.js";
import { clashOf, isAt, placesOf } from "./path-prefixes.js";

/** A mocked API at work; a `Service` that a host can carry. */
export interface MockedApi {
  /** `drive` */
  readonly name: string;
  readonly version: string;
  /** Path of its root URL: `/`, or `/<name>/<version>/`. */
  readonly root: string;
  /** Starts of the paths that it answers. */
  readonly paths: readonly string[];
  /** Path of its batches; they reach it where no other API has the same path. */
  readonly batch: string | undefined;
  handle(request: Incoming): Outgoing | Promise<Outgoing>;
  close(): Promise<void>;
}

/** The mocks of some documents; none where a diagnostic is an error. */
export interface StartedMocks {
  readonly apis: readonly MockedApi[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Mocks of the documents that `--spec` arguments name. Never throws. */
export async function startMock(
  specs: readonly string[],
  options: MockOptions = {},
): Promise<StartedMocks> {
  const { models, diagnostics } = await readModels(specs, {
    cwd: options.cwd,
  });
  return mockAll(models, options, diagnostics);
}

/** Mocks of documents that were read. */
export function mockAll(
  models: readonly LoadResult[],
  options: MockOptions,
  before: readonly Diagnostic[] = [],
): StartedMocks {
  const diagnostics = [...before];
  const apis: MockedApi[] = [];
  for (const { api, diagnostics: found } of models) {
    diagnostics.push(...found);
    const sink = new Sink(found[0]?.file);
    try {
      const made = api && mocked(api, options);
      if (made !== undefined && isFree(made, apis, sink)) apis.push(made);
    } catch (error) {
      reportFailure(error, sink);
    }
    diagnostics.push(...sink.diagnostics);
  }
  return { apis, diagnostics };
}

function mocked(model: Api, options: MockOptions): MockedApi {
  const { name, version, batchPath } = model;
  const base =
    options.prefix === true
      ? `/${encodeURIComponent(name)}/${encodeURIComponent(version)}`
      : "";
  const server = buildMock(model, {
    seed: options.seed ?? "1",
    strict: options.strict === true,
    server: {
      validateAnswers: options.validateAnswers === true,
      ...(base === "" ? {} : { basePath: base }),
    },
  });
  return {
    name,
    version,
    root: `${base}/`,
    paths: base === "" ? placesOf(server.api) : [`${base}/`],
    batch: batchPath === undefined ? undefined : `${base}/${batchPath}`,
    handle: (request) => server.handle(request),
    close: () => server.close(),
  };
}

function isFree(
  made: MockedApi,
  others: readonly MockedApi[],
  sink: Sink,
): boolean {
  for (const other of others) {
    const clash = clashOf(made.paths, other.paths);
    if (clash === undefined) continue;
    sink.report(
      "mock-clash",
      `${made.name}:${made.version} and ${other.name}:${other.version} both answer ${clash}`,
    );
    return false;
  }
  return true;
}

/** The answer of the mock whose path a request has; of the only one, whatever the path. */
export function handleWith(
  apis: readonly MockedApi[],
  request: Incoming,
): Outgoing | Promise<Outgoing> {
  const { target } = request;
  const found =
    apis.length === 1
      ? apis[0]
      : (apis.find(({ paths }) => isAt(target, paths)) ??
        batcherOf(apis, target));
  return found?.handle(request) ?? nobody();
}

function batcherOf(
  apis: readonly MockedApi[],
  target: string,
): MockedApi | undefined {
  const found = apis.filter(
    ({ batch }) => batch !== undefined && isAt(target, [batch]),
  );
  return found.length === 1 ? found[0] : undefined;
}

function nobody(): Outgoing {
  return {
    status: 404,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: '{"error":{"code":404,"message":"No mocked API has this path."}}\n',
  };
}
