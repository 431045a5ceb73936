import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
} from "prom-client";

/** Log line from which metrics are counted. */
export interface MetricsLine {
  readonly service: string;
  readonly event: string;
  readonly [member: string]: unknown;
}

/** Function that returns current values by the name of their metric. */
export type ReadGauges = () => Promise<Readonly<Record<string, number>>>;

/** Function that reads gauges, and the names that it has returned before. */
interface GaugeReader {
  readonly read: ReadGauges;
  names: readonly string[];
}

/** Upper bounds of the duration histogram in seconds. */
const SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
  60, 300,
];

/** Milliseconds after which a scrape omits the gauges of a service. */
const GAUGE_TIME = 2_000;

/**
 * Metrics of a process in the format of Prometheus. All counters are derived
 * from log lines, so log and metrics can't contradict each other. Labels are
 * names from descriptions and configs, never text of a request, so their number
 * is bounded.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #gauges = new Map<string, Gauge>();
  readonly #readers: GaugeReader[] = [];
  readonly #requests: Counter;
  readonly #durations: Histogram;
  readonly #streams: Counter;
  readonly #tokens: Counter;
  readonly #failovers: Counter;
  readonly #exports: Counter;
  readonly #audits: Counter;
  readonly #store: Gauge;

  /** @param lostLines returns the number of log lines that were lost */
  constructor(lostLines?: () => number) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Counter({
      name: "gen_requests_total",
      help: "Requests whose response was started.",
      labelNames: ["service", "method", "status"],
      registers,
    });
    this.#durations = new Histogram({
      name: "gen_request_duration_seconds",
      help: "Time until a response was ready; for streams, until it was started.",
      labelNames: ["service", "method"],
      buckets: SECONDS,
      registers,
    });
    this.#streams = new Counter({
      name: "gen_streams_total",
      help: "Streams that ended.",
      labelNames: ["service", "model", "complete"],
      registers,
    });
    this.#tokens = new Counter({
      name: "gen_tokens_total",
      help: "Tokens of completions by the name of the key and the model.",
      labelNames: ["key", "model", "kind"],
      registers,
    });
    this.#failovers = new Counter({
      name: "gen_chat_failovers_total",
      help: "Requests that were sent to another upstream after a failure of this one.",
      labelNames: ["model", "upstream"],
      registers,
    });
    this.#exports = new Counter({
      name: "gen_exports_total",
      help: "Exports that ended.",
      labelNames: ["result"],
      registers,
    });
    this.#audits = new Counter({
      name: "gen_changes_total",
      help: "Changes with an audit event in the log.",
      labelNames: ["service", "action"],
      registers,
    });
    if (lostLines !== undefined)
      new Counter({
        name: "gen_log_lines_lost_total",
        help: "Log lines that were lost because their reader was too slow.",
        registers,
        // Lost lines have no line of their own that could be counted.
        collect() {
          this.reset();
          this.inc(lostLines());
        },
      });
    this.#store = new Gauge({
      name: "gen_store_up",
      help: "1 if the last operation of this kind succeeded, otherwise 0.",
      labelNames: ["service", "operations"],
      registers,
    });
  }

  /** Adds values that are read for each scrape. */
  addGauges(read: ReadGauges): void {
    this.#readers.push({ read: async () => read(), names: [] });
  }

  /**
   * Sets counters of a service to 0. Otherwise they would begin with 1, and
   * `increase()` of Prometheus does not see the first event.
   */
  startService(service: string): void {
    if (service !== "migration") return;
    for (const result of ["exported", "failed"])
      this.#exports.inc({ result }, 0);
  }

  /** Counts the event of a log line. */
  observe(line: MetricsLine): void {
    const { service, event } = line;
    if (event === "request") this.#observeRequest(line);
    else if (event === "stream") {
      const model = text(line["model"]);
      const complete = String(line["isWhole"] === true);
      this.#streams.inc({ service, model, complete });
      this.#addTokens(line);
    } else if (event === "failover")
      this.#failovers.inc({
        model: text(line["model"]),
        upstream: text(line["upstream"]),
      });
    else if (event === "exported") this.#exports.inc({ result: "exported" });
    else if (event === "export failed") this.#exports.inc({ result: "failed" });
    else if (event === "audit")
      this.#audits.inc({ service, action: text(line["action"]) });
    else if (event === "store-unavailable" || event === "store-available") {
      const operations = text(line["operations"]);
      const isUp = event === "store-available";
      this.#store.set({ service, operations }, isUp ? 1 : 0);
    }
  }

  #observeRequest(line: MetricsLine): void {
    const { service } = line;
    const method = text(line["method"]);
    const status = text(line["status"]);
    this.#requests.inc({ service, method, status });
    const ms = Number(line["ms"]);
    if (Number.isFinite(ms))
      this.#durations.observe({ service, method }, ms / 1000);
    this.#addTokens(line);
  }

  #addTokens(line: MetricsLine): void {
    const key = text(line["key"]);
    const model = text(line["model"]);
    for (const [kind, member] of TOKENS) {
      const count = line[member];
      if (typeof count === "number" && count > 0)
        this.#tokens.inc({ key, model, kind }, count);
    }
  }

  /** Returns the type and text of the response to a scrape. */
  async scrape(): Promise<{ readonly type: string; readonly text: string }> {
    await Promise.all(this.#readers.map((reader) => this.#update(reader)));
    const { contentType: type } = this.#registry;
    return { type, text: await this.#registry.metrics() };
  }

  /** Reads gauges. Those that can't be read are omitted. */
  async #update(reader: GaugeReader): Promise<void> {
    const values = await within(reader.read(), GAUGE_TIME);
    for (const name of reader.names)
      if (values?.[name] === undefined) this.#remove(name);
    reader.names = Object.keys(values ?? {});
    for (const [name, value] of Object.entries(values ?? {}))
      this.#gaugeOf(name).set(value);
  }

  #remove(name: string): void {
    this.#registry.removeSingleMetric(name);
    this.#gauges.delete(name);
  }

  #gaugeOf(name: string): Gauge {
    const known = this.#gauges.get(name);
    if (known !== undefined) return known;
    const gauge = new Gauge({
      name,
      help: `Current value of ${name}.`,
      registers: [this.#registry],
    });
    this.#gauges.set(name, gauge);
    return gauge;
  }
}

/** Kinds of tokens, and the member of a log line that counts them. */
const TOKENS = [
  ["prompt", "promptTokens"],
  ["completion", "completionTokens"],
] as const;

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number"
    ? String(value)
    : "";
}

/** Returns undefined for a promise that fails or takes too long. */
async function within<T>(
  promise: Promise<T>,
  time: number,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, time, undefined);
  });
  const settled = promise.catch(() => undefined);
  return Promise.race([settled, timeout]).finally(() => clearTimeout(timer));
}
