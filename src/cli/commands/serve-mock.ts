import { handleWith, startMock, type MockedApi } from "../../mock/index.js";
import { SetupError } from "../../services/config-file.js";
import type { Hosted } from "../../services/host.js";
import { startHost, type Running } from "../../services/run.js";
import type { LogLine } from "../../services/service.js";
import { UsageError, type Context } from "../command.js";
import type { OptionRow } from "../options.js";
import { paragraph } from "../reporters/text.js";

/** What `gen serve --mock` is given. */
export interface MockValues {
  readonly mock?: boolean;
  readonly spec?: readonly string[];
  readonly host: string;
  readonly seed: string;
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
    default: "1",
    description: "with --mock: another text gives other data",
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

/**
 * Serves mocks on a host of their own.
 *
 * @throws SetupError for documents that can't be mocked, and where it can't listen
 */
export async function startMocks(
  { spec = [], seed, strict, prefix, host }: MockValues,
  port: number,
  log: (line: LogLine) => void,
  { cwd, output }: Context,
): Promise<Running> {
  if (spec.length === 0) throw new UsageError("--mock needs --spec <source>");
  const options = { seed, strict, prefix, cwd };
  const { apis, diagnostics } = await startMock(spec, options);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new SetupError(errors);
  for (const found of diagnostics)
    if (found.severity === "warning")
      output.err(paragraph(found, output.color));
  const running = await startHost([serviceOf(apis)], { port, host, log });
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
