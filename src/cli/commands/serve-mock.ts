import { dispatchToMock, startMock, type MockedApi } from "../../mock/index.js";
import { SetupError } from "../../services/config-file.js";
import type { HostedService } from "../../services/request-dispatcher.js";
import { DEFAULT_HOST_CONFIG } from "../../services/host-config.js";
import { startHost, type RunningServices } from "../../services/run.js";
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
  data: "mocks keep all data in memory",
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
}

/**
 * Serves mocks on an HTTP server without other services.
 *
 * @param values values that passed {@link checkMock}
 * @throws SetupError if a document can't be mocked or the address can't be used
 */
export async function startMocks(
  { spec = [], seed, strict, prefix, host }: MockValues,
  port: number,
  log: (line: LogLine) => void,
  { cwd, output }: Context,
): Promise<RunningServices> {
  const options = { seed, strict, prefix, cwd };
  const { apis, diagnostics } = await startMock(spec, options);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new SetupError(errors);
  for (const diagnostic of diagnostics)
    if (diagnostic.severity === "warning")
      output.err(paragraph(diagnostic, output.color));
  const running = await startHost([serviceOf(apis)], {
    ...DEFAULT_HOST_CONFIG,
    port,
    host,
    log,
  });
  const help = apis.map(
    ({ name, version, root }) =>
      `${name}:${version} rootUrl ${running.origin}${root}`,
  );
  return { ...running, help };
}

function serviceOf(apis: readonly MockedApi[]): HostedService {
  return {
    name: "mock",
    paths: ["*"],
    handle: (request) => dispatchToMock(apis, request),
    close: async () => {
      await Promise.all(apis.map((api) => api.close()));
    },
  };
}
