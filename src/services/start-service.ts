import { mkdirSync } from "node:fs";
import path from "node:path";
import type {
  Incoming,
  Outgoing,
} from "../../generated/runtime/server/index.js";
import {
  type ConfigFile,
  serviceDiagnostic,
  SetupError,
} from "./config-file.js";
import type { HostedService } from "./request-dispatcher.js";
import {
  ConfigError,
  type DemoResult,
  type LogLine,
  type Service,
  type ServiceContext,
  type ServiceModule,
  type ServiceRow,
} from "./service.js";
import { guardedStore } from "./store/guarded.js";
import { type Store, StoreError } from "./store/store.js";

/** Options of `runServices` that are passed to each service. */
export interface StartOptions {
  /** Folder for persistent data; each service has a subfolder. */
  readonly data?: string | undefined;
  readonly config?: ConfigFile | undefined;
  readonly isDemo?: boolean;
  readonly log: (line: LogLine) => void;
  readonly now?: () => number;
}

/** Running service. A new config replaces it while the server is running. */
export class StartedService implements HostedService {
  readonly name: string;
  readonly isExclusive: boolean;
  readonly module: ServiceModule;
  readonly demo: DemoResult | undefined;
  /** Store of the service, which reports its failures. */
  readonly store: Store;
  #service: Service;
  /** Section of the config file with which the service was started. */
  #section: unknown;
  /** Services that were replaced and still have requests in flight. */
  readonly #replaced = new Set<Promise<void>>();

  constructor(
    row: ServiceRow,
    module: ServiceModule,
    demo: DemoResult | undefined,
    store: Store,
    service: Service,
    section: unknown,
  ) {
    this.name = row.name;
    this.isExclusive = row.isExclusive === true;
    this.module = module;
    this.demo = demo;
    this.store = store;
    this.#service = service;
    this.#section = section;
  }

  /** Section of the config file with which the service was started. */
  get section(): unknown {
    return this.#section;
  }

  get paths(): readonly string[] {
    return this.#service.paths;
  }

  get maxDuration(): number {
    return this.#service.maxDuration ?? 0;
  }

  handle(request: Incoming): Outgoing | Promise<Outgoing> {
    return this.#service.handle(request);
  }

  async close(grace?: number): Promise<void> {
    await Promise.all([this.#service.close(grace), ...this.#replaced]);
  }

  /** Closes the current service; requests in flight can finish. */
  closeCurrent(grace: number): Promise<void> {
    return this.#service.close(grace);
  }

  /**
   * Serves further requests with another service.
   *
   * @param closed promise that is resolved when the current service has ended
   */
  replace(service: Service, section: unknown, closed: Promise<void>): void {
    const closing = closed
      .catch(() => {})
      .finally(() => this.#replaced.delete(closing));
    this.#replaced.add(closing);
    this.#service = service;
    this.#section = section;
  }

  async gauges(): Promise<Readonly<Record<string, number>>> {
    return (await this.#service.gauges?.()) ?? {};
  }

  problem(): string | undefined {
    return this.#service.problem?.();
  }
}

/**
 * Loads and starts a service.
 *
 * @throws SetupError for mistakes in its config, and if the store is
 *   unavailable
 */
export async function startService(
  row: ServiceRow,
  store: Store,
  options: StartOptions,
): Promise<StartedService> {
  const module = await row.load();
  const section = options.config?.section(row.name);
  const guarded = storeOf(row.name, store, options.log);
  const context = contextOf(row.name, guarded, section, options);
  const demo =
    options.isDemo === true
      ? await explained(row.name, options, () => module.demo(context))
      : undefined;
  const service = await startModule(row.name, module, options, {
    ...context,
    config: section ?? demo?.config,
  });
  return new StartedService(row, module, demo, guarded, service, section);
}

/**
 * Starts the module of a running service with the section of a new config.
 *
 * @throws SetupError for mistakes in its config, and if the store is
 *   unavailable
 */
export async function restartService(
  { name, module, demo, store }: StartedService,
  options: StartOptions,
): Promise<Service> {
  const section = options.config?.section(name);
  const config = section ?? demo?.config;
  const context = contextOf(name, store, config, options);
  return startModule(name, module, options, context);
}

function startModule(
  name: string,
  module: ServiceModule,
  options: StartOptions,
  context: ServiceContext,
): Promise<Service> {
  return explained(name, options, () => module.start(context));
}

/**
 * Checks the section of a service without starting the service.
 *
 * @throws SetupError for the first mistake
 */
export async function checkService(
  name: string,
  module: ServiceModule,
  section: unknown,
  config: ConfigFile,
): Promise<void> {
  await explained(name, { config }, async () => module.check?.(section));
}

/** Converts expected errors of a service to errors with a position. */
async function explained<T>(
  name: string,
  options: Pick<StartOptions, "config">,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
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
  return { store, now, log, folder, config };
}

/** Returns the store for a service. Its failures are logged. */
export function storeOf(
  name: string,
  store: Store,
  log: (line: LogLine) => void,
): Store {
  return guardedStore(store, (operations, failure) =>
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
}

/**
 * Converts a config error to a setup error with the position in the config
 * file.
 */
export function configFailure(
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
