import { onTestFinished } from "vitest";
import { ConfigFile } from "../../src/services/config-file.js";
import { listen } from "../../src/services/host.js";
import { runServices, type RunningServices } from "../../src/services/run.js";
import type { LogLine, ServiceRow } from "../../src/services/service.js";
import { memoryStore } from "../../src/services/store/open.js";
import type { Json, Store } from "../../src/services/store/store.js";
import { adminOf, runAdmin } from "./admin-support.js";

/** Row of the service table. */
export const marketplaceRow: ServiceRow = {
  name: "marketplace",
  summary: "",
  load: () => import("../../src/services/marketplace/index.js"),
};

/** Item as requests contain it. */
export const item = {
  name: "Thing",
  description: "A thing.",
  category: "Code",
  sub_category: "Things",
  version: "1.0",
  demo_link: "https://example.com/",
  media: {
    thumbnail: "https://example.com/t.png",
    preview_image: "https://example.com/p.png",
  },
  price: { regular: 1, extended: 2.5 },
  currency: "USD",
};

/** Serves on a port until the test ends. */
export interface Served {
  readonly origin: string;
  readonly log: LogLine[];
  readonly running: RunningServices;
}

/** Runs services as `gen serve` does. */
export async function serve(
  options: Partial<Parameters<typeof runServices>[0]> & {
    readonly settings?: string;
  } = {},
): Promise<Served> {
  const log: LogLine[] = [];
  const { settings, rows = [marketplaceRow], ...rest } = options;
  const names = rows.map(({ name }) => name);
  const running = await runServices({
    rows,
    log: (line) => log.push(line),
    config:
      settings === undefined
        ? undefined
        : new ConfigFile("config.yaml", settings, names),
    ...rest,
  });
  onTestFinished(() => running.close());
  return { origin: running.origin, log, running };
}

/** Starts a marketplace on an in-memory store, without a limit of requests. */
export async function marketplace(config: object = {}): Promise<{
  readonly origin: string;
  readonly store: Store;
  readonly log: LogLine[];
  readonly admin: (operation: string, input: Json) => Promise<Json>;
}> {
  const store = memoryStore();
  const log: LogLine[] = [];
  const context = {
    store,
    now: Date.now,
    log: (line: LogLine) => void log.push(line),
    folder: undefined,
    config: { requestsPerMinute: 0, ...config },
  };
  const module = await marketplaceRow.load();
  await module.demo(context);
  const service = await module.start(context);
  const host = await listen([Object.assign(service, { name: "marketplace" })], {
    log: context.log,
  });
  onTestFinished(() => host.close());
  const client = adminOf(store);
  const admin = (operation: string, input: Json): Promise<Json> =>
    runAdmin(client, operation, input);
  return { origin: host.origin, store, log, admin };
}
