import { mkdirSync } from "node:fs";
import path from "node:path";
import {
  serviceDiagnostic,
  SetupError,
  type ConfigFile,
} from "./config-file.js";
import type { HostedService } from "./request-dispatcher.js";
import {
  ConfigError,
  type DemoResult,
  type LogLine,
  type ServiceContext,
  type ServiceModule,
  type ServiceRow,
} from "./service.js";
import { guardedStore } from "./store/guarded.js";
import { StoreError, type Store } from "./store/store.js";

/** Options of `runServices` that are passed to each service. */
export interface StartOptions {
  /** Folder for persistent data; each service has a subfolder. */
  readonly data?: string | undefined;
  readonly config?: ConfigFile | undefined;
  readonly isDemo?: boolean;
  readonly log: (line: LogLine) => void;
  readonly now?: () => number;
}

/** Service that has been started, with its module and demo. */
export interface StartedService {
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
export async function startService(
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
