import { catalogue, type Code } from "../../diagnostics/catalogue.js";
import { startMock, type MockedApi } from "../../mock/index.js";
import { listenMocks, type Listening } from "../../mock/listen.js";
import { UsageError, type Context } from "../command.js";
import type { OptionRow } from "../options.js";
import { visible } from "../reporters/output.js";
import { paragraph } from "../reporters/text.js";

/** What `gen serve --mock` is given. */
export interface MockValues {
  readonly mock?: boolean;
  readonly spec?: readonly string[];
  readonly port: string;
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
 * Serves mocks until the process is told to end; the exit code.
 *
 * @param ended resolves when it is to end. Default: SIGINT or SIGTERM.
 */
export async function serveMock(
  values: MockValues,
  { cwd, output }: Context,
  ended: () => Promise<void> = untilSignal,
): Promise<number> {
  const { spec = [], seed, strict, prefix } = values;
  if (spec.length === 0) throw new UsageError("--mock needs --spec <source>");
  const port = portOf(values.port);
  const { apis, diagnostics } = await startMock(spec, {
    seed,
    strict,
    prefix,
    cwd,
  });
  for (const found of diagnostics)
    if (found.severity !== "info") output.err(paragraph(found, output.color));
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    const codes: number[] = errors.map(
      ({ code }) => catalogue[code as Code].exit ?? 3,
    );
    return [5, 2].find((code) => codes.includes(code)) ?? 3;
  }
  const host = await listen(apis, port, values.host);
  output.out(greeting(host.origin, apis));
  await ended();
  await host.close();
  return 0;
}

async function listen(
  apis: readonly MockedApi[],
  port: number,
  host: string,
): Promise<Listening> {
  try {
    return await listenMocks(apis, { port, host });
  } catch (error) {
    throw new UsageError(`can't listen: ${(error as Error).message}`);
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port ${text}: it takes a number from 0 to 65535`);
}

function greeting(origin: string, apis: readonly MockedApi[]): string {
  const lines = apis.map(({ name, version, root }) =>
    visible(`${name}:${version} rootUrl ${origin}${root}`),
  );
  return [`listening on ${origin}`, ...lines, ""].join("\n");
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}
