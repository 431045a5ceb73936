import { mkdirSync } from "node:fs";
import path from "node:path";
import { runServiceCommand } from "./admin-command.js";
import { listenForCommands } from "./admin-socket.js";
import {
  type ConfigFile,
  serviceDiagnostic,
  SetupError,
} from "./config-file.js";
import { type HostConfig, readHostConfig } from "./host-config.js";
import { isLoopback } from "../platform/host-names.js";
import { type Host, listen, withTimeout } from "./host.js";
import type { HostedService } from "./request-dispatcher.js";
import {
  AdminError,
  ConfigError,
  type DemoResult,
  type LogLine,
  type ServiceContext,
  type ServiceModule,
  type ServiceRow,
} from "./service.js";
import { guardedStore } from "./store/guarded.js";
import { openStore } from "./store/open.js";
import { type Store, StoreError } from "./store/store.js";

/** Services to run, and their address and store. */
export interface RunOptions {
  readonly rows: readonly ServiceRow[];
  readonly port?: number;
  readonly host?: string;
  /**
   * Folder for persistent data. If neither `data` nor `store` is set, all data
   * is stored in memory only.
   */
  readonly data?: string | undefined;
  /** URL of a database to use as the store. */
  readonly store?: string | undefined;
  readonly config?: ConfigFile | undefined;
  /** True to add sample data and to return example requests in `help`. */
  readonly isDemo?: boolean;
  readonly log: (line: LogLine) => void;
  readonly now?: () => number;
  /**
   * Function that is called if the host, a service or the store does not stop
   * before its deadline. The process must then be terminated.
   */
  readonly onHang?: () => void;
}

/**
 * Milliseconds after the grace period within which all components must have
 * stopped.
 */
const STOP_MARGIN = 3_000;

/**
 * Minimum number of milliseconds for stopping a component. It applies even if
 * the common deadline has passed.
 */
const MIN_STOP_TIME = 500;

/** Host with running services. */
export interface RunningServices extends Host {
  /** Example requests for the demo. */
  readonly help: readonly string[];
}

/**
 * Opens the store, starts the services and listens for requests.
 *
 * @throws SetupError for a mistake that the user can fix; all components that
 *   were already started have then been stopped
 */
export async function runServices(
  options: RunOptions,
): Promise<RunningServices> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    const deadline =
      performance.now() + readHostSection(options).grace + STOP_MARGIN;
    while (stops.length > 0) {
      const left = Math.max(MIN_STOP_TIME, deadline - performance.now());
      if (!(await withTimeout(stops.pop()!(), left))) options.onHang?.();
    }
  };
  try {
    return await start(options, stops, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  options: RunOptions,
  stops: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<RunningServices> {
  readHostSection(options);
  const store = await openServiceStore(options);
  stops.push(() => store.close());
  const started: StartedService[] = [];
  for (const row of options.rows) {
    const startedService = await startService(row, store, options);
    started.push(startedService);
    stops.push(() => startedService.hosted.close());
  }
  const host = await startHost(
    started.map(({ hosted }) => hosted),
    { ...options, ...readHostSection(options) },
  );
  // Closing the host also closes the services. Therefore, one stop function for
  // the host replaces the stop functions of the services.
  stops.splice(1, Infinity, () => host.close());
  const admin = await listenForAdmin(started, store, options);
  if (admin !== undefined) stops.push(admin);
  const help = started.flatMap(({ demo }) => demo?.help(host.origin) ?? []);
  return { origin: host.origin, help, drain: () => host.drain(), close };
}

/**
 * Reads the section `host` of the config. Adds the hosts in the `origin`
 * settings of the services.
 */
function readHostSection(options: RunOptions): HostConfig {
  const { config, rows } = options;
  const part = config?.section("host");
  try {
    const settings = readHostConfig(part);
    const origins = rows.flatMap(({ name }) => {
      const { origin } = Object(config?.section(name)) as { origin?: unknown };
      return typeof origin === "string" && URL.canParse(origin)
        ? [new URL(origin).hostname]
        : [];
    });
    return { ...settings, origins };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw configFailure("host", error, options);
  }
}

async function openServiceStore({
  data,
  store: url,
}: RunOptions): Promise<Store> {
  try {
    if (data !== undefined) mkdirSync(data, { recursive: true, mode: 0o700 });
    return await openStore({ data, url });
  } catch (error) {
    const isKnown = error instanceof StoreError || "syscall" in Object(error);
    if (!isKnown) throw error;
    throw new SetupError([
      serviceDiagnostic("store-unavailable", (error as Error).message),
    ]);
  }
}

/**
 * Starts the HTTP server.
 *
 * @throws SetupError if the address can't be used
 */
export async function startHost(
  services: readonly HostedService[],
  {
    port,
    host,
    log,
    names,
    origins,
    ...limits
  }: Pick<RunOptions, "port" | "host" | "log"> & HostConfig,
): Promise<Host> {
  try {
    return await listen(services, {
      // By default, a server on a loopback address accepts only loopback names,
      // as a protection against DNS rebinding.
      names: names ?? (isLoopback(host ?? "127.0.0.1") ? [] : undefined),
      origins,
      ...limits,
      ...(port === undefined ? {} : { port }),
      ...(host === undefined ? {} : { host }),
      log,
    });
  } catch (error) {
    const message = (error as Error).message;
    throw new SetupError([serviceDiagnostic("listen-failed", message)]);
  }
}

/**
 * Listens for administration commands if the store is embedded. Only this
 * process can open an embedded store, so it must run the commands.
 */
async function listenForAdmin(
  started: readonly StartedService[],
  store: Store,
  { data, store: url, log }: RunOptions,
): Promise<(() => Promise<void>) | undefined> {
  if (data === undefined || url !== undefined) return undefined;
  const stop = await listenForCommands(data, async (command) => {
    const startedService = started.find(
      ({ hosted }) => hosted.name === command.service,
    );
    if (startedService === undefined)
      throw new AdminError(
        `the service ${command.service} is not running in this server`,
      );
    const result = await runServiceCommand(
      startedService.module,
      { store, data },
      command,
    );
    log({
      service: command.service,
      event: "admin",
      operation: command.operation,
    });
    return result;
  });
  if (stop === undefined)
    log({
      service: "host",
      event: "no-admin",
      why: "the path of the data folder is too long for a socket",
    });
  return stop;
}

/** Options of `runServices` that are passed to each service. */
interface StartOptions {
  /** Folder for persistent data; each service has a subfolder. */
  readonly data?: string | undefined;
  readonly config?: ConfigFile | undefined;
  readonly isDemo?: boolean;
  readonly log: (line: LogLine) => void;
  readonly now?: () => number;
}

/** Service that has been started, with its module and demo. */
interface StartedService {
  readonly module: ServiceModule;
  readonly hosted: HostedService & { readonly name: string };
  readonly demo: DemoResult | undefined;
}

/**
 * Loads and starts a service.
 *
 * @throws SetupError for mistakes in its config, and if the store is
 *   unavailable
 */
async function startService(
  { name, load }: ServiceRow,
  store: Store,
  options: StartOptions,
): Promise<StartedService> {
  const module = await load();
  const config = options.config?.section(name);
  const context = contextOf(name, store, config, options);
  try {
    const demo =
      options.isDemo === true ? await module.demo(context) : undefined;
    const service = await module.start({
      ...context,
      config: config ?? demo?.config,
    });
    const hosted = {
      name,
      // `paths` is a getter, because the paths of some services change while
      // the services are running.
      get paths() {
        return service.paths;
      },
      ...(service.maxDuration === undefined
        ? {}
        : { maxDuration: service.maxDuration }),
      handle: service.handle.bind(service),
      close: (grace?: number) => service.close(grace),
    };
    return { module, hosted, demo };
  } catch (error) {
    if (error instanceof ConfigError) throw configFailure(name, error, options);
    const { cause } = Object(error) as { readonly cause?: unknown };
    if (cause instanceof StoreError)
      throw new SetupError([
        serviceDiagnostic("store-unavailable", cause.message),
      ]);
    throw error;
  }
}

function contextOf(
  name: string,
  store: Store,
  config: unknown,
  { data, now = Date.now, log }: StartOptions,
): ServiceContext {
  const folder = data === undefined ? undefined : path.join(data, name);
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const guarded = guardedStore(store, (operations, failure) =>
    log(
      failure === undefined
        ? { service: name, event: "store-available", operations }
        : {
            service: name,
            event: "store-unavailable",
            operations,
            why: failure,
          },
    ),
  );
  return { store: guarded, now, log, folder, config };
}

/**
 * Converts a config error to a setup error with the position in the config
 * file.
 */
function configFailure(
  service: string,
  { pointer, message }: ConfigError,
  { config }: Pick<StartOptions, "config">,
): SetupError {
  const text = `${service}: ${message}`;
  return new SetupError([
    config === undefined
      ? serviceDiagnostic("config-invalid", text, {
          pointer: `/${service}${pointer}`,
        })
      : config.sectionDiagnostic(service, pointer, text),
  ]);
}
