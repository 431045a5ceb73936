import path from "node:path";
import { HostNames, isLoopback } from "../../platform/host-names.js";
import { checkLatency, type Latency } from "../../mock/control.js";
import { DataError } from "../../mock/data.js";
import type { Fake } from "../../mock/fake.js";
import {
  KEEP_ALIVE,
  misdirected,
  startMock,
  type MockOptions,
} from "../../mock/index.js";
import {
  createRecorder,
  createReplayer,
  type RequestHandler,
} from "../../mock/recordings.js";
import { publicPath } from "../../mock/secrets.js";
import type { LogEntry } from "../../runtime/server/options.js";
import type { Incoming, Outgoing } from "../../runtime/server/request.js";
import { serviceDiagnostic, SetupError } from "../../services/config-file.js";
import { addLogFields, logFieldsOf } from "../../services/log.js";
import type { HostedService } from "../../services/request-dispatcher.js";
import { DEFAULT_HOST_CONFIG } from "../../services/host-config.js";
import { openHost, type RunningServices } from "../../services/run.js";
import type { LogLine } from "../../services/service.js";
import { UsageError, type Context } from "../command.js";
import type { OptionRow } from "../../generate/options.js";
import { paragraph } from "../../diagnostics/reporters/text.js";

/** Option values of `gen serve --mock`. */
export interface MockValues {
  readonly mock?: boolean;
  readonly spec?: readonly string[];
  readonly host: string;
  readonly seed?: string;
  readonly strict?: boolean;
  readonly empty?: boolean;
  readonly data?: string;
  readonly latency?: string;
  readonly record?: string;
  readonly replay?: string;
  readonly prefix?: boolean;
}

/** Options that apply only to mocks. */
export const mockOptions: readonly OptionRow[] = [
  {
    name: "mock",
    kind: "switch",
    description: "serve the APIs of --spec with generated data",
  },
  {
    name: "spec",
    kind: "list",
    value: "source",
    description:
      "with --mock: description documents, as files, folders, globs or -; repeatable",
  },
  {
    name: "seed",
    kind: "text",
    value: "text",
    description: "with --mock: seed of the generated data (default: 1)",
  },
  {
    name: "strict",
    kind: "switch",
    description:
      "with --mock: respond with 404 for resources that are neither listed nor created, and with 401 for requests without the API's key",
  },
  {
    name: "empty",
    kind: "switch",
    description:
      "with --mock: start without resources; ids that no caller created result in 404",
  },
  {
    name: "latency",
    kind: "text",
    value: "min..max",
    description:
      "with --mock: delay of each response in milliseconds, such as 20..50",
  },
  {
    name: "record",
    kind: "text",
    value: "url",
    description:
      "with --mock: forward requests to this server, and store its responses in --data without credentials",
  },
  {
    name: "replay",
    kind: "text",
    value: "dir",
    description: "with --mock: serve the responses that --record stored",
  },
  {
    name: "prefix",
    kind: "switch",
    description:
      "with --mock: serve each API below /<name>/<version>/, for APIs with conflicting paths",
  },
];

/**
 * Map from each option that conflicts with --mock to the reason for the
 * conflict.
 */
const SERVICES_ONLY = {
  store: "mocks keep all data in memory",
  config: "mocks have no config file; use the options of the command",
  demo: "mocks always contain generated data",
};

/**
 * Checks that mock options are used only with --mock, and service options only
 * without --mock. Empty lists and disabled switches count as absent.
 *
 * @throws UsageError for the first conflict
 */
export function checkMock(values: Readonly<Record<string, unknown>>): void {
  const isGiven = (name: string): boolean => {
    const value = values[name];
    const isEmpty = Array.isArray(value) && value.length === 0;
    return value !== undefined && value !== false && !isEmpty;
  };
  const refuse = (text: string): never => {
    throw new UsageError(text);
  };
  if (!isGiven("mock")) {
    for (const { name } of mockOptions)
      if (isGiven(name)) refuse(`--${name} requires --mock`);
    return;
  }
  if (isGiven("service"))
    refuse("--mock can't be combined with the name of a service");
  for (const [name, why] of Object.entries(SERVICES_ONLY))
    if (isGiven(name))
      refuse(
        `--mock can't be combined with --${name} (GEN_SERVE_${name.toUpperCase()}): ${why}`,
      );
  if (!isGiven("spec")) refuse("--mock requires --spec <source>");
  if (isGiven("record") && !isGiven("data"))
    refuse("--record requires --data <dir>, the folder for the responses");
  for (const [one, other] of [
    ["record", "replay"],
    ["replay", "data"],
  ] as const)
    if (isGiven(one) && isGiven(other))
      refuse(`--${one} can't be combined with --${other}`);
}

/**
 * Serves mocks on an HTTP server without other services.
 *
 * @param values values that passed {@link checkMock}
 * @throws SetupError if a document can't be mocked or the address can't be used
 */
export async function startMocks(
  values: MockValues,
  port: number,
  log: (line: LogLine) => void,
  { cwd, output }: Context,
): Promise<RunningServices> {
  const { spec = [], host } = values;
  const handler = recordingsOf(values, cwd);
  const { fake, diagnostics } = await startMock(spec, {
    ...optionsOf(values),
    cwd,
    log: (entry) => logRequest(entry, log),
  });
  if (fake === undefined)
    throw new SetupError(
      diagnostics.filter(({ severity }) => severity === "error"),
    );
  for (const diagnostic of diagnostics)
    if (diagnostic.severity === "warning")
      output.err(paragraph(diagnostic, output.color));
  const names = isLoopback(host) ? new HostNames(fake.hosts) : undefined;
  const service: HostedService = {
    name: "mock",
    paths: ["*"],
    handle: (request) => {
      addLogFields(request, { path: publicPath(request.target) });
      const response =
        names?.allows(request.header("host")) === false
          ? misdirected()
          : (handler ?? fake).handle(request);
      return response instanceof Promise
        ? response.then((settled) => withProblem(request, settled, fake))
        : withProblem(request, response, fake);
    },
    close: () => fake.close(),
  };
  // The handler checks host names, so that the log has the path of a request
  // with another name.
  const running = await openHost([service], {
    ...DEFAULT_HOST_CONFIG,
    keepAlive: KEEP_ALIVE,
    port,
    host,
    log,
  });
  const help = fake.apis.map(
    ({ name, version, root }) =>
      `${name}:${version} rootUrl ${running.origin}${root}`,
  );
  return { ...running, help };
}

/**
 * Adds the method, the path without credentials and the message of an error to
 * the log line of a request. A call of a batch has a line of its own.
 */
function logRequest(
  { request, method, status, error }: LogEntry,
  log: (line: LogLine) => void,
): void {
  const fields = {
    method: method?.id,
    path: publicPath(request.target),
    ...(error instanceof Error ? { problem: error.message } : {}),
  };
  if ((request as Partial<Incoming>).isPart !== true)
    return addLogFields(request, fields);
  log({
    ...fields,
    service: "mock",
    event: "request",
    httpMethod: request.method,
    status,
  });
}

/** Messages of faults that break the connection. */
const BROKEN = {
  reset: "A fault closed the connection without a response.",
  truncate: "A fault closed the connection after half of the body.",
};

/**
 * Adds the cause of a failure to the log line of a request, if no method of an
 * API has added it.
 */
function withProblem(
  request: Incoming,
  response: Outgoing,
  { control }: Fake,
): Outgoing {
  const breakage = control.breakageOf(request);
  const { status, body } = response;
  if (breakage !== undefined)
    addLogFields(request, { problem: BROKEN[breakage] });
  else if (status >= 400 && logFieldsOf(request)["problem"] === undefined)
    addLogFields(request, { problem: messageIn(body) });
  return response;
}

/** Returns the message in the body of an error response. */
function messageIn(body: Outgoing["body"]): string | undefined {
  if (typeof body !== "string") return undefined;
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown } };
    return typeof error?.message === "string"
      ? error.message.slice(0, 500)
      : undefined;
  } catch {
    return undefined;
  }
}

function optionsOf({
  seed,
  strict,
  empty,
  data,
  record,
  latency,
  prefix,
}: MockValues): MockOptions {
  return {
    seed,
    strict,
    empty,
    prefix,
    ...(record === undefined ? { data } : {}),
    ...(latency === undefined ? {} : { latency: latencyOf(latency) }),
  };
}

/** @throws UsageError */
function latencyOf(text: string): Latency {
  const range = /^(\d{1,6})(?:\.\.(\d{1,6}))?$/.exec(text);
  const latency = {
    min: Number(range?.[1]),
    max: Number(range?.[2] ?? range?.[1]),
  };
  try {
    checkLatency(latency);
    return latency;
  } catch {
    throw new UsageError(
      `--latency must be a range of milliseconds such as 20..50, not '${text}'`,
    );
  }
}

/**
 * Returns the handler of --record or --replay; undefined without these options.
 *
 * @throws SetupError if the URL or the folder can't be used
 */
function recordingsOf(
  { record, replay, data = "" }: MockValues,
  cwd: string,
): RequestHandler | undefined {
  try {
    if (record !== undefined)
      return createRecorder(record, path.resolve(cwd, data));
    return replay === undefined
      ? undefined
      : createReplayer(path.resolve(cwd, replay));
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    throw new SetupError([serviceDiagnostic("mock-data", error.message)]);
  }
}
