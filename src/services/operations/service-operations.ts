import type { ListeningHost } from "../host.js";
import type { OperationsConfig } from "../host-config.js";
import type { LogLine } from "../service.js";
import type { StartedService } from "../start-service.js";
import type { Store } from "../store/store.js";
import { listenForProbes, type ReadinessCheck } from "./endpoints.js";

/** Host, store and services that the endpoints report. */
interface ServedParts {
  readonly host: Pick<ListeningHost, "phase" | "connections">;
  readonly store: Store;
  readonly services: readonly ObservedService[];
}

type ObservedService = Pick<
  StartedService,
  "name" | "store" | "problem" | "gauges"
>;

/** Endpoints for operators of a server with services. */
export interface ServiceOperations {
  readonly origin: string;
  /** Writes a line to the log and counts its event. */
  readonly log: (line: LogLine) => void;
  /** Reports the parts of a server that has started. */
  serve(parts: ServedParts): void;
  close(): Promise<void>;
}

/**
 * Listens for probes and scrapes of a server that starts. The package of the
 * metrics is loaded only here, because most servers have no such endpoints.
 *
 * @param lostLines returns the number of log lines that were lost
 * @throws Error if the address can't be used
 */
export async function openServiceOperations(
  address: OperationsConfig,
  log: (line: LogLine) => void,
  lostLines: () => number = () => 0,
): Promise<ServiceOperations> {
  const { Metrics } = await import("./metrics.js");
  const metrics = new Metrics(lostLines);
  const checks = new Map<string, ReadinessCheck>();
  let host: ServedParts["host"] | undefined;
  const endpoints = await listenForProbes(address, {
    phase: () => host?.phase() ?? "starting",
    checks,
    metrics: () => metrics.scrape(),
  });
  return {
    origin: endpoints.origin,
    log(line) {
      metrics.observe(line);
      log(line);
    },
    serve(parts) {
      const { store, services } = parts;
      checks.set("store", () => checkStores(services));
      for (const service of services) {
        checks.set(service.name, async () => service.problem());
        metrics.startService(service.name);
      }
      metrics.addGauges(async () => ({
        gen_connections: await parts.host.connections(),
      }));
      const { pool } = store;
      if (pool !== undefined)
        metrics.addGauges(async () => ({
          gen_store_connections: pool.totalCount,
          gen_store_connections_idle: pool.idleCount,
          gen_store_requests_waiting: pool.waitingCount,
        }));
      for (const service of services) metrics.addGauges(() => service.gauges());
      host = parts.host;
    },
    close: () => endpoints.close(),
  };
}

/**
 * Reads a key that is usually absent through the store of each service, so that
 * a service without requests also notices failures and their end. The errors can
 * contain addresses.
 */
async function checkStores(
  services: readonly ObservedService[],
): Promise<string | undefined> {
  try {
    await Promise.all(
      services.map(({ store }) => store.get("host.ready", "probe")),
    );
    return undefined;
  } catch {
    return "unavailable";
  }
}
