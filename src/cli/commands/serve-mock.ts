import { handleWith, startMock, type MockedApi } from "../../mock/index.js";
import { SetupError } from "../../services/config-file.js";
import type { Hosted } from "../../services/host.js";
import { HOST } from "../../services/host-config.js";
import { startHost, type Running } from "../../services/run.js";
import type { LogLine } from "../../services/service.js";
import { UsageError, type Context } from "../command.js";
import type { OptionRow } from "../../generate/options.js";
import { paragraph } from "../../diagnostics/reporters/text.js";

/** What `gen serve --mock` is given. */
export interface MockValues {
  readonly mock?: boolean;
  readonly spec?: readonly string[];
  readonly host: string;
  readonly seed?: string;
  readonly strict?: boolean;
  readonly prefix?: boolean;
}

/** Options that only mocks have; `port` and `host` are those of `gen serve`. */
export const mockOptions: readonly OptionRow[] = [
  {
    name: "mock",
    kind: "switch",
    description: "answer for the APIs of --spec with made-up data",
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
    description: "with --mock: another text gives other data (default: 1)",
  },
  {
    name: "strict",
    kind: "switch",
    description:
      "with --mock: 404 for what is neither listed nor was made, 401 without the API's key",
  },
  {
    name: "prefix",
    kind: "switch",
    description:
      "with --mock: put each API below /<name>/<version>/, for paths that clash",
  },
];

/** What makes no sense beside --mock, and why. */
const SERVICES_ONLY = {
  data: "mocks keep everything in memory",
  store: "mocks keep everything in memory",
  config: "mocks have no settings but their options",
  demo: "mocks have something in them anyway",
};

/**
 * Looks for options of mocks without --mock, and for those of services with it.
 * Empty lists and switches that are off count as absent.
 *
 * @throws UsageError for the first one
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
      if (isGiven(name)) refuse(`--${name} needs --mock`);
    return;
  }
  if (isGiven("service"))
    refuse("--mock serves the APIs of --spec, and takes no name of a service");
  for (const [name, why] of Object.entries(SERVICES_ONLY))
    if (isGiven(name))
      refuse(
        `--mock takes no --${name} (GEN_SERVE_${name.toUpperCase()}): ${why}`,
      );
  if (!isGiven("spec")) refuse("--mock needs --spec <source>");
}

/**
 * Serves mocks on a host of their own.
 *
 * @param values as {@link checkMock} has them
 * @throws SetupError for documents that can't be mocked, and where it can't listen
 */
export async function startMocks(
  { spec = [], seed, strict, prefix, host }: MockValues,
  port: number,
  log: (line: LogLine) => void,
  { cwd, output }: Context,
): Promise<Running> {
  const options = { seed, strict, prefix, cwd };
  const { apis, diagnostics } = await startMock(spec, options);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new SetupError(errors);
  for (const found of diagnostics)
    if (found.severity === "warning")
      output.err(paragraph(found, output.color));
  const running = await startHost([serviceOf(apis)], {
    ...HOST,
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

function serviceOf(apis: readonly MockedApi[]): Hosted {
  return {
    name: "mock",
    paths: ["*"],
    handle: (request) => handleWith(apis, request),
    close: async () => {
      await Promise.all(apis.map((api) => api.close()));
    },
  };
}
