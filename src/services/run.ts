// This file is longer than 400 lines, because a start, a reload and a stop of the
// server handle the same parts in the same order.

import { mkdirSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { readAdminConfig, type AdminConfig } from "./admin/config.js";
import { startAdmin, type RunningAdmin } from "./admin/listen.js";
import {
  type ConfigFile,
  serviceDiagnostic,
  SetupError,
} from "./config-file.js";
import { type HostConfig, readHostConfig } from "./host-config.js";
import { isLoopback } from "../platform/host-names.js";
import { type Host, listen, type ListeningHost, withTimeout } from "./host.js";
import type { HostedService } from "./request-dispatcher.js";
import { ConfigError, type LogLine } from "./service.js";
import type { ServiceRow } from "./service.js";
import {
  openServiceOperations,
  type ServiceOperations,
} from "./operations/service-operations.js";
import {
  checkService,
  configFailure,
  restartService,
  startService,
  storeOf,
  type StartedService,
} from "./start-service.js";
import { openStore } from "./store/open.js";
import { type Store, StoreError } from "./store/store.js";
import { type Credentials, readCredentials } from "./tls.js";
import { openTracing, type Tracing } from "./tracing.js";

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
  /** Returns the number of log lines that were lost, for metrics. */
  readonly lostLines?: () => number;
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

/** Maximum milliseconds for the export of pending spans when the server stops. */
const EXPORT_TIME = 1_000;

/** Host with running services. */
export interface RunningServices extends Host {
  /** Example requests for the demo. */
  readonly help: readonly string[];
  /** Origin of the endpoints for operators, if the config has them. */
  readonly operations?: string | undefined;
  /** Origin of the admin API for operators, if the config has tokens. */
  readonly admin?: string | undefined;
  /**
   * Applies a new config while requests are served. Services whose section has
   * changed are restarted; the limits, names and certificates of the host apply
   * to further requests and connections. Absent if the server has no config.
   *
   * @throws SetupError for a mistake in the config; the previous config then
   *   remains in effect
   */
  reload?(config: ConfigFile): Promise<void>;
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
  const limits = { grace: 0 };
  const stop = async (): Promise<void> => {
    const deadline = performance.now() + limits.grace + STOP_MARGIN;
    while (stops.length > 0) {
      const left = Math.max(MIN_STOP_TIME, deadline - performance.now());
      if (!(await withTimeout(stops.pop()!(), left))) options.onHang?.();
    }
  };
  try {
    return await start(options, limits, stops, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Limit of stopping a server, which a reload changes. */
interface StopLimits {
  /** Grace period in milliseconds for requests in flight. */
  grace: number;
}

async function start(
  given: RunOptions,
  limits: StopLimits,
  stops: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<RunningServices> {
  const settings = readHostSection(given);
  limits.grace = settings.grace;
  readAdminSection(given);
  const operations = await startOperations(settings, given, stops);
  const options = { ...given, log: operations?.log ?? given.log };
  const tracing = await openTracing(
    options.rows.flatMap(({ loadApi = [] }) => loadApi),
    options.log,
  );
  if (tracing !== undefined)
    stops.push(async () => {
      // The exporter retries for longer if the collector can't be reached.
      if (!(await withTimeout(tracing.close(), EXPORT_TIME))) given.onHang?.();
    });
  const store = await openServiceStore(options);
  stops.push(() => store.close());
  const base = stops.length;
  const started: StartedService[] = [];
  for (const row of options.rows) {
    const service = await startService(row, store, options);
    started.push(service);
    stops.push(() => service.close());
  }
  const credentials = credentialsOf(settings, options);
  const host = await startHost(started, {
    ...options,
    ...settings,
    credentials,
    tracing,
  });
  // Closing the host also closes the services. Therefore, one stop function for
  // the host replaces the stop functions of the services.
  let admin: RunningAdmin | undefined;
  stops.splice(base, Infinity, () =>
    Promise.all([host.close(), admin?.close(limits.grace)]),
  );
  admin = await openAdmin(store, { ...settings, credentials }, options);
  operations?.serve({ host, store, services: started });
  const help = started.flatMap(({ demo }) => demo?.help(host.origin) ?? []);
  return {
    ...host,
    help,
    operations: operations?.origin,
    admin: admin.origin,
    close,
    reload: (config) =>
      reload(config, { options, limits, host, admin, started }),
  };
}

/**
 * Opens the endpoints for operators before the store, so that probes get a
 * response while a large store is opened.
 */
async function startOperations(
  { operations }: HostConfig,
  { log, lostLines }: RunOptions,
  stops: (() => Promise<unknown>)[],
): Promise<ServiceOperations | undefined> {
  if (operations === undefined) return undefined;
  try {
    const started = await openServiceOperations(operations, log, lostLines);
    stops.push(() => started.close());
    return started;
  } catch (error) {
    if (!("syscall" in Object(error))) throw error;
    const message = `host.operations: ${(error as Error).message}`;
    throw new SetupError([serviceDiagnostic("listen-failed", message)]);
  }
}

/** Host and services of a running server. */
interface RunningParts {
  readonly options: RunOptions;
  readonly limits: StopLimits;
  readonly host: ListeningHost;
  readonly admin: RunningAdmin;
  readonly started: readonly StartedService[];
}

/** Checks a new config completely, then applies it. */
async function reload(
  config: ConfigFile,
  { options, limits, host, admin, started }: RunningParts,
): Promise<void> {
  const changed = { ...options, config };
  const settings = readHostSection(changed);
  const tokens = readAdminSection(changed);
  const credentials = credentialsOf(settings, changed);
  for (const { name, module, demo } of started) {
    const section = config.section(name) ?? demo?.config;
    await checkService(name, module, section, config);
  }
  limits.grace = settings.grace;
  host.update({ ...hostOptionsOf(settings, options), credentials });
  admin.update(tokens, { ...settings, credentials });
  const restarted: string[] = [];
  for (const service of started) {
    const section = config.section(service.name);
    if (isDeepStrictEqual(section, service.section)) continue;
    await replaceService(service, changed, settings.grace);
    restarted.push(service.name);
  }
  // The limit of idle time depends on the services.
  host.update({ ...hostOptionsOf(settings, options), credentials });
  const needsRestart = unappliedSettings(options, changed);
  options.log({
    service: "host",
    event: "config-reloaded",
    restarted,
    ...(needsRestart.length === 0 ? {} : { needsRestart }),
  });
}

/**
 * Returns the names of settings that differ from those at the start, and that
 * only a restart applies.
 */
function unappliedSettings(
  before: Pick<RunOptions, "config" | "rows">,
  after: Pick<RunOptions, "config" | "rows">,
): readonly string[] {
  const fixedSettings = (options: typeof before): Record<string, unknown> => {
    const { operations, tls } = readHostSection(options);
    const { port, host } = readAdminSection(options) ?? {};
    return {
      "host.operations": operations,
      "host.tls": tls !== undefined,
      admin: { port, host },
    };
  };
  const previous = fixedSettings(before);
  return Object.entries(fixedSettings(after))
    .filter(([name, value]) => !isDeepStrictEqual(value, previous[name]))
    .map(([name]) => name);
}

async function replaceService(
  service: StartedService,
  options: RunOptions,
  grace: number,
): Promise<void> {
  const section = options.config?.section(service.name);
  if (!service.isExclusive) {
    const next = await restartService(service, options);
    // The server continues, so requests in flight have all the time of a
    // response. When the server stops, closed connections end them.
    const time = Math.max(grace, service.maxDuration);
    service.replace(next, section, service.closeCurrent(time));
    return;
  }
  await service.closeCurrent(grace);
  const next = await restartService(service, options);
  service.replace(next, section, Promise.resolve());
}

/**
 * Checks a config without starting services.
 *
 * @throws SetupError for the first mistake
 */
export async function checkConfig(
  rows: readonly ServiceRow[],
  config: ConfigFile,
): Promise<void> {
  const options = { rows, config };
  credentialsOf(readHostSection(options), options);
  readAdminSection(options);
  for (const { name, load } of rows) {
    const section = config.section(name);
    if (section !== undefined)
      await checkService(name, await load(), section, config);
  }
}

/** @throws SetupError if the files of the setting `tls` can't be used */
function credentialsOf(
  { tls }: HostConfig,
  options: Pick<RunOptions, "config">,
): Credentials | undefined {
  try {
    return readCredentials(tls);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw configFailure("host", error, options);
  }
}

/**
 * Reads the section `host` of the config. Adds the hosts in the `origin`
 * settings of the services.
 */
function readHostSection(
  options: Pick<RunOptions, "config" | "rows">,
): HostConfig {
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

/** Starts the HTTP server. */
function startHost(
  services: readonly HostedService[],
  {
    port,
    host,
    log,
    credentials,
    tracing,
    ...settings
  }: Pick<RunOptions, "port" | "host" | "log"> &
    HostConfig & {
      readonly credentials?: Credentials | undefined;
      readonly tracing?: Tracing | undefined;
    },
): Promise<ListeningHost> {
  return openHost(services, {
    ...hostOptionsOf(settings, { host }),
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
    log,
    credentials,
    tracing,
  });
}

/** @throws SetupError if the address can't be used */
export async function openHost(
  ...[services, options]: Parameters<typeof listen>
): Promise<ListeningHost> {
  try {
    return await listen(services, options);
  } catch (error) {
    const { message } = error as Error;
    throw new SetupError([serviceDiagnostic("listen-failed", message)]);
  }
}

/**
 * Returns the settings of a host. By default, a server on a loopback address
 * accepts only loopback names, as a protection against DNS rebinding.
 */
function hostOptionsOf(
  { names, ...settings }: HostConfig,
  { host = "127.0.0.1" }: { readonly host?: string | undefined },
): HostConfig {
  return { ...settings, names: names ?? (isLoopback(host) ? [] : undefined) };
}

/**
 * Opens the admin API: for operators if the config has tokens, and for commands
 * if the store is in a data folder, which only this process can open.
 *
 * @throws SetupError if the address can't be used
 */
async function openAdmin(
  store: Store,
  host: HostConfig & { readonly credentials: Credentials | undefined },
  options: RunOptions,
): Promise<RunningAdmin> {
  const { data, store: url, log, now = Date.now } = options;
  try {
    return await startAdmin({
      config: readAdminSection(options),
      host,
      data: url === undefined ? data : undefined,
      context: { store: storeOf("admin", store, log), now, log },
    });
  } catch (error) {
    if (!("syscall" in Object(error))) throw error;
    const message = `admin: ${(error as Error).message}`;
    throw new SetupError([serviceDiagnostic("listen-failed", message)]);
  }
}

/** Reads the section `admin` of the config. */
function readAdminSection(
  options: Pick<RunOptions, "config">,
): AdminConfig | undefined {
  try {
    return readAdminConfig(options.config?.section("admin"));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw configFailure("admin", error, options);
  }
}
