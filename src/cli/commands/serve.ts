import path from "node:path";
import { suggestion } from "../../diagnostics/closest.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import { readFileLimited } from "../../platform/read-limited.js";
import {
  ConfigFile,
  serviceDiagnostic,
  SetupError,
} from "../../services/config-file.js";
import { describeError } from "../../services/log.js";
import { openLog, type ServerLog } from "../../services/log-output.js";
import {
  checkConfig,
  runServices,
  type RunningServices,
} from "../../services/run.js";
import type { ServiceRow } from "../../services/service.js";
import { services } from "../../services/table.js";
import { UsageError, type Command, type Context } from "../command.js";
import { visible } from "../../diagnostics/invisible.js";
import { paragraph } from "../../diagnostics/reporters/text.js";
import { exitCodeOf } from "../exit-code.js";
import {
  checkMock,
  mockOptions,
  startMocks,
  type MockValues,
} from "./serve-mock.js";
import { serveOptions } from "./serve-options.js";

/** File descriptor of standard error, which receives the log. */
const STANDARD_ERROR = 2;

interface Values extends MockValues {
  readonly service: readonly string[];
  readonly port: string;
  readonly data?: string;
  readonly store?: string;
  readonly config?: string;
  readonly demo?: boolean;
  readonly checkConfig?: boolean;
}

const HELP = `
Services:
${services.map(({ name, summary }) => `  ${name.padEnd(13)}${summary}`).join("\n")}

Without --data and --store, all data is lost when the server stops. The log on
standard error has one line of JSON per request and contains no credentials.

With --mock, the APIs of --spec are served instead, by their generated servers
with generated data; created resources are kept until the server stops. --data
is then a folder of JSON files with the resources at the start, or a saved state.
--mock can't be combined with a service, --store, --config or --demo.

Examples:
  gen serve --demo
  gen serve marketplace --data /var/lib/gen --port 80 --host 0.0.0.0
  gen serve --mock --spec specs/chat.v1.json
  gen serve --mock --spec drive.json --empty --data fixtures --latency 20..50

SIGHUP reads the config again and applies it without interrupting requests; if
it has a mistake, the previous config remains in effect. Without --config, SIGHUP
stops the server.

Exit codes:
  0  stopped by SIGINT or SIGTERM after completing requests in flight; a second signal stops the server at once; or the config is valid
  2  invalid usage or config, the port is in use, or the store can't be opened
  3  a description can't be mocked`;

/** Command `gen serve`: runs services until the process receives a signal. */
export const serve: Command = {
  operands: {
    name: "service",
    description: "services to run (default: all)",
    isMany: true,
    isOptional: true,
  },
  options: [...serveOptions, ...mockOptions],
  variables: "SERVE_",
  help: HELP,
  run: async (values, context) => run(values as unknown as Values, context),
};

async function run(values: Values, context: Context): Promise<number> {
  const { output } = context;
  const signal = onSignal();
  const log = openLog(STANDARD_ERROR);
  try {
    if (values.checkConfig === true) return await check(values, context);
    const running = await start(values, context, log);
    announce(running, output.out);
    if (values.config !== undefined)
      signal.onHangup(reloader(running, values, context, log));
    await signal.first;
    await running.drain();
    await running.close();
    return 0;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    for (const diagnostic of error.diagnostics)
      output.err(paragraph(diagnostic, output.color));
    return exitCodeOf(error.diagnostics) ?? 2;
  } finally {
    signal.stopListening();
    // A blocked write to the log must not keep the process alive.
    if (!(await log.close())) exitSoon();
  }
}

/** Checks the config of `--config`. */
async function check(
  values: Values,
  { cwd, output }: Context,
): Promise<number> {
  const { config } = values;
  if (config === undefined)
    throw new UsageError("--check-config requires --config <file>");
  const file = configOf(config, path.resolve(cwd, config));
  await checkConfig(rowsOf(values), file);
  output.out(`${visible(config)} is valid\n`);
  return 0;
}

/**
 * Returns a function that reads the config again and applies it. Mistakes are
 * reported in the log.
 */
function reloader(
  running: RunningServices,
  { config = "" }: Values,
  { cwd }: Context,
  { log }: ServerLog,
): () => void {
  // A reload starts after the previous one has ended.
  let last: Promise<void> = Promise.resolve();
  const reload = async (): Promise<void> => {
    try {
      await running.reload?.(configOf(config, path.resolve(cwd, config)));
    } catch (error) {
      const why =
        error instanceof SetupError
          ? error.diagnostics.map(positioned).join("; ")
          : describeError(error);
      log({ service: "host", event: "reload-failed", why });
    }
  };
  return () => void (last = last.then(reload));
}

/** Returns a message with its position in the config. */
function positioned({ file, line, message }: Diagnostic): string {
  return file === undefined ? message : `${file}:${line ?? 1}: ${message}`;
}

/**
 * Ends the process if open handles prevent its exit after the server has
 * closed. The exit code is set by then.
 */
function exitSoon(): void {
  setTimeout(() => process.exit(), 500).unref();
}

async function start(
  values: Values,
  context: Context,
  { log, lostLines }: ServerLog,
): Promise<RunningServices> {
  const { cwd } = context;
  checkMock({ ...values });
  const port = portOf(values.port);
  if (values.mock === true) return startMocks(values, port, log, context);
  const absolute = (name: string): string => path.resolve(cwd, name);
  return runServices({
    rows: rowsOf(values),
    port,
    host: values.host,
    data: values.data === undefined ? undefined : absolute(values.data),
    store: values.store,
    config:
      values.config === undefined
        ? undefined
        : configOf(values.config, absolute(values.config)),
    isDemo: values.demo === true,
    log,
    lostLines,
    onHang: exitSoon,
  });
}

/**
 * Returns the services with the given names, or all services if no name is
 * given.
 */
function rowsOf({ service: names }: Values): readonly ServiceRow[] {
  const serviceNames = services.map(({ name }) => name);
  for (const name of names)
    if (!serviceNames.includes(name))
      throw new UsageError(
        `unknown service '${name}'${suggestion(name, serviceNames)}; see gen serve --help`,
      );
  return names.length === 0
    ? services
    : services.filter(({ name }) => names.includes(name));
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port < 65_536) return port;
  throw new UsageError(
    `--port must be an integer from 0 to 65535, not '${text}'`,
  );
}

function configOf(name: string, file: string): ConfigFile {
  let text: string;
  try {
    text = readFileLimited(file).toString();
  } catch (error) {
    const message = (error as Error).message;
    throw new SetupError([
      serviceDiagnostic("config-syntax", message, { file: name }),
    ]);
  }
  return new ConfigFile(
    name,
    text,
    services.map((row) => row.name),
  );
}

function announce(
  { origin, operations, admin, help }: RunningServices,
  write: (text: string) => void,
): void {
  for (const line of help) write(`${visible(line)}\n`);
  if (operations !== undefined) write(`operations on ${operations}\n`);
  if (admin !== undefined) write(`admin on ${admin}\n`);
  write(`listening on ${origin}\n`);
}

/** Signals that the process has received. */
interface Signals {
  /** Promise that is resolved by the first termination signal. */
  readonly first: Promise<void>;
  /** Calls a function for each SIGHUP, which then no longer ends the server. */
  onHangup(run: () => void): void;
  stopListening(): void;
}

/**
 * Listens for the first termination signal. A second signal has the platform's
 * default effect.
 */
function onSignal(): Signals {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  let resolve = (): void => {};
  const first = new Promise<void>((done) => (resolve = done));
  const listener = (): void => {
    stopListening();
    resolve();
  };
  let hangup: (() => void) | undefined;
  const stopListening = (): void => {
    for (const signal of signals) process.off(signal, listener);
    // While the server stops, further reloads have no effect.
    if (hangup !== undefined) {
      process.off("SIGHUP", hangup);
      process.on("SIGHUP", () => {});
    }
  };
  for (const signal of signals) process.on(signal, listener);
  return {
    first,
    stopListening,
    onHangup(run) {
      hangup = run;
      process.off("SIGHUP", listener);
      process.on("SIGHUP", run);
    },
  };
}
