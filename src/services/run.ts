import { mkdirSync } from "node:fs";
import path from "node:path";
import { serveAdmin } from "./admin-socket.js";
import { carryOut } from "./admin-command.js";
import { finding, SetupError, type ConfigFile } from "./config-file.js";
import { readHostConfig, type HostConfig } from "./host-config.js";
import { isLoopback } from "./host-names.js";
import { listen, within, type Host, type Hosted } from "./host.js";
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
import { StoreError, type Store } from "./store/store.js";

/** What to serve, and where. */
export interface RunOptions {
  readonly rows: readonly ServiceRow[];
  readonly port?: number;
  readonly host?: string;
  /** Folder for what has to last; without it, and without a store, nothing does. */
  readonly data?: string | undefined;
  /** URL of a database. */
  readonly store?: string | undefined;
  readonly config?: ConfigFile | undefined;
  /** Puts in what the services show, and tells how to try them. */
  readonly isDemo?: boolean;
  readonly log: (line: LogLine) => void;
  readonly now?: () => number;
  /** Called when something did not end in time: the process has to be ended. */
  readonly onHang?: () => void;
}

/** Milliseconds beyond the grace for all to end, and for the parts that are left when they are over. */
const ENDING = 3_000;
const LEAST = 500;

/** Services at work. */
export interface Running extends Host {
  /** How to try the demo. */
  readonly help: readonly string[];
}

/**
 * Opens the store, starts the services and listens.
 *
 * @throws SetupError for whatever the user can mend; nothing runs then
 */
export async function runServices(options: RunOptions): Promise<Running> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    const ends = performance.now() + hostConfig(options).grace + ENDING;
    while (stops.length > 0) {
      const left = Math.max(LEAST, ends - performance.now());
      if (!(await within(stops.pop()!(), left))) options.onHang?.();
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
): Promise<Running> {
  hostConfig(options);
  const store = await open(options);
  stops.push(() => store.close());
  const started: Started[] = [];
  for (const row of options.rows) {
    const one = await startService(row, store, options);
    started.push(one);
    stops.push(() => one.hosted.close());
  }
  const host = await startHost(
    started.map(({ hosted }) => hosted),
    { ...options, ...hostConfig(options) },
  );
  // The host closes its services itself.
  stops.splice(1, Infinity, () => host.close());
  const admin = await takeCommands(started, store, options);
  if (admin !== undefined) stops.push(admin);
  const help = started.flatMap(({ demo }) => demo?.help(host.origin) ?? []);
  return { origin: host.origin, help, close };
}

/** The host's part of the config; hosts that services have as their origin are its own. */
function hostConfig(options: RunOptions): HostConfig {
  const { config, rows } = options;
  const part = config?.part("host");
  try {
    const settings = readHostConfig(part);
    const origins = rows.flatMap(({ name }) => {
      const { origin } = Object(config?.part(name)) as { origin?: unknown };
      return typeof origin === "string" && URL.canParse(origin)
        ? [new URL(origin).hostname]
        : [];
    });
    return { ...settings, origins };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw misconfigured("host", error, options);
  }
}

async function open({ data, store: url }: RunOptions): Promise<Store> {
  try {
    if (data !== undefined) mkdirSync(data, { recursive: true, mode: 0o700 });
    return await openStore({ data, url });
  } catch (error) {
    const isKnown = error instanceof StoreError || "syscall" in Object(error);
    if (!isKnown) throw error;
    throw new SetupError([
      finding("store-unavailable", (error as Error).message),
    ]);
  }
}

interface Started {
  readonly module: ServiceModule;
  readonly hosted: Hosted & { readonly name: string };
  readonly demo: DemoResult | undefined;
}

async function startService(
  { name, load }: ServiceRow,
  store: Store,
  options: RunOptions,
): Promise<Started> {
  const module = await load();
  const config = options.config?.part(name);
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
      // Some services have other paths later.
      get paths() {
        return service.paths;
      },
      ...(service.longest === undefined ? {} : { longest: service.longest }),
      handle: service.handle.bind(service),
      close: (grace?: number) => service.close(grace),
    };
    return { module, hosted, demo };
  } catch (error) {
    if (error instanceof ConfigError) throw misconfigured(name, error, options);
    const { cause } = Object(error) as { readonly cause?: unknown };
    if (cause instanceof StoreError)
      throw new SetupError([finding("store-unavailable", cause.message)]);
    throw error;
  }
}

function contextOf(
  name: string,
  store: Store,
  config: unknown,
  { data, now = Date.now, log }: RunOptions,
): ServiceContext {
  const folder = data === undefined ? undefined : path.join(data, name);
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const guarded = guardedStore(store, (failure) =>
    log(
      failure === undefined
        ? { service: name, event: "store-available" }
        : { service: name, event: "store-unavailable", why: failure },
    ),
  );
  return { store: guarded, now, log, folder, config };
}

function misconfigured(
  service: string,
  { pointer, message }: ConfigError,
  { config }: RunOptions,
): SetupError {
  const text = `${service}: ${message}`;
  return new SetupError([
    config === undefined
      ? finding("config-invalid", text, { pointer: `/${service}${pointer}` })
      : config.mistake(service, pointer, text),
  ]);
}

/**
 * Listens.
 *
 * @throws SetupError where the address can't be had
 */
export async function startHost(
  services: readonly Hosted[],
  {
    port,
    host,
    log,
    names,
    origins,
    grace,
    keepAlive,
    silence,
  }: Pick<RunOptions, "port" | "host" | "log"> & HostConfig,
): Promise<Host> {
  try {
    return await listen(services, {
      // Pages of other sites must not reach what listens for the machine alone.
      names: names ?? (isLoopback(host ?? "127.0.0.1") ? [] : undefined),
      origins,
      grace,
      keepAlive,
      silence,
      ...(port === undefined ? {} : { port }),
      ...(host === undefined ? {} : { host }),
      log,
    });
  } catch (error) {
    const message = (error as Error).message;
    throw new SetupError([finding("listen-failed", message)]);
  }
}

/** Administrators of an embedded store have to ask who has it open. */
async function takeCommands(
  started: readonly Started[],
  store: Store,
  { data, store: url, log }: RunOptions,
): Promise<(() => Promise<void>) | undefined> {
  if (data === undefined || url !== undefined) return undefined;
  const stop = await serveAdmin(data, async (command) => {
    const one = started.find(({ hosted }) => hosted.name === command.service);
    if (one === undefined)
      throw new AdminError(
        `the server does not run the service ${command.service}`,
      );
    const result = await carryOut(one.module, { store, data }, command);
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
