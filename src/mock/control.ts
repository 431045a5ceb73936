// This file is longer than 250 lines, because faults, the journal and the
// documentation of their public types belong together.

import { suggestion } from "../diagnostics/closest.js";
import { ApiError } from "../runtime/server/error.js";
import type { Call } from "../runtime/server/call.js";
import type { LogEntry, ServerOptions } from "../runtime/server/options.js";
import type { ServerRequest } from "../runtime/server/request.js";
import { memorySize } from "../runtime/server/uploads/memory-size.js";
import type { Params } from "./mock-context.js";
import { Random } from "./random.js";
import {
  publicHeaders,
  publicParameters,
  publicPath,
  withoutSecrets,
} from "./secrets.js";

/** Range of a random delay in milliseconds. */
export interface Latency {
  readonly min: number;
  readonly max: number;
}

/** Failure that a mock produces instead of, or before, a response. */
export interface Fault {
  /**
   * Id of the method, such as `drive.files.get`; `*` at the end matches every
   * rest of an id (`drive.files.*`). Default: all methods.
   */
  readonly method?: string;
  /** Number of calls that fail. Default: 1. */
  readonly times?: number;
  /** Status of the error, from 400 to 599. Default: no error. */
  readonly status?: number;
  /** Reason in the error body. Default: the standard reason of the status. */
  readonly reason?: string;
  /** Message in the error body. */
  readonly message?: string;
  /** Milliseconds before the response. Default: 0. */
  readonly delay?: number;
  /** True to close the connection without a response. Default: false. */
  readonly reset?: boolean;
  /**
   * True to close the connection after half of the response body. Default:
   * false.
   */
  readonly truncate?: boolean;
}

/** Request that a mock received. Secrets are replaced with `[removed]`. */
export interface RecordedRequest {
  /** Id of the method; absent if no method has the path. */
  readonly method?: string;
  readonly httpMethod: string;
  /** Path and query. */
  readonly path: string;
  /** Decoded parameters; absent if the request was rejected before its handler. */
  readonly parameters?: Params;
  /** Decoded JSON body. */
  readonly body?: unknown;
  /** Headers, keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Status of the response. */
  readonly status: number;
}

/** Maximum number and total size in bytes of recorded requests. */
const MAX_REQUESTS = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Maximum number of faults that have not occurred yet. */
const MAX_FAULTS = 1000;

/** Maximum delay of a response in milliseconds. */
const MAX_DELAY = 600_000;

/** Effect of a fault on the connection of a request. */
export type Breakage = "reset" | "truncate";

interface PendingFault extends Fault {
  remaining: number;
}

interface JournalEntry {
  readonly request: RecordedRequest;
  readonly size: number;
}

/** Faults, latency and journal of a mock. */
export class Control {
  readonly #latency: Latency | undefined;
  readonly #random: Random;
  /** Ids of the methods of all mocked APIs; empty if they are not known. */
  readonly #methods: string[] = [];
  #faults: PendingFault[] = [];
  #journal: JournalEntry[] = [];
  #journalBytes = 0;
  /** Requests to which faults have been applied. */
  #seen = new WeakSet<ServerRequest>();
  #breakages = new WeakMap<ServerRequest, Breakage>();
  #calls = new WeakMap<ServerRequest, Pick<Call, "params" | "body">>();

  /** @throws RangeError if the latency is not a range of milliseconds */
  constructor(latency: Latency | undefined, seed: string) {
    if (latency !== undefined) checkLatency(latency);
    this.#latency = latency;
    this.#random = new Random(`${seed}|latency`);
  }

  /** Adds ids to the methods that faults and filters can name. */
  addMethods(ids: readonly string[]): void {
    this.#methods.push(...ids);
  }

  /** @throws RangeError if no mocked API has the method */
  #checkMethod(method: string | undefined): void {
    const known = this.#methods;
    if (method === undefined || known.length === 0) return;
    if (known.some((id) => matches({ method }, id))) return;
    throw new RangeError(
      `no mocked API has the method ${JSON.stringify(method.slice(0, 200))}${suggestion(method, known)}; expected the id of a method such as ${known[0]}, or the start of ids and *`,
    );
  }

  /**
   * Returns options of a server with the hooks that apply faults and fill the
   * journal.
   */
  withHooks(options: ServerOptions): ServerOptions {
    return {
      ...options,
      authenticate: ({ request, method }) => this.before(request, method.id),
      log: (entry) => {
        this.#record(entry);
        options.log?.(entry);
      },
    };
  }

  /**
   * Adds faults.
   *
   * @throws RangeError for an invalid fault, a method that no API has, or if
   *   there are too many; no fault is then added
   */
  fail(...faults: readonly Fault[]): void {
    for (const fault of faults) {
      checkFault(fault);
      this.#checkMethod(fault.method);
    }
    if (this.#faults.length + faults.length > MAX_FAULTS)
      throw new RangeError(
        `a mock must have at most ${MAX_FAULTS} pending faults`,
      );
    for (const fault of faults)
      this.#faults.push({ ...fault, remaining: fault.times ?? 1 });
  }

  /**
   * Returns the requests with the given method id or the given start of ids and
   * `*`, or all requests, oldest first.
   *
   * @throws RangeError if no API has the method
   */
  requests(method?: string): RecordedRequest[] {
    this.#checkMethod(method);
    const all = this.#journal
      .slice(-MAX_REQUESTS)
      .map(({ request }) => request);
    if (method === undefined) return all;
    return all.filter(
      ({ method: id }) => id !== undefined && matches({ method }, id),
    );
  }

  clearRequests(): void {
    this.#journal = [];
    this.#journalBytes = 0;
  }

  /** Deletes pending faults and recorded requests. */
  reset(): void {
    this.#faults = [];
    this.clearRequests();
  }

  /** Stores parameters and body of a call for its entry in the journal. */
  note({ request, params, body }: Call): void {
    this.#calls.set(request, { params, body });
  }

  /**
   * Delays a call, and applies the first fault for its method. A second call
   * for the same request has no effect.
   *
   * @throws ApiError with the status of the fault
   */
  before(request: ServerRequest, method: string): Promise<void> | undefined {
    if (this.#seen.has(request)) return undefined;
    this.#seen.add(request);
    const fault = this.#take(method);
    const delay = (fault?.delay ?? 0) + this.#delay();
    if (fault === undefined && delay === 0) return undefined;
    return this.#apply(request, fault, delay);
  }

  async #apply(
    request: ServerRequest,
    fault: Fault | undefined,
    delay: number,
  ): Promise<void> {
    if (delay > 0) await sleep(delay, request.signal);
    if (fault === undefined) return;
    const { reset, truncate, status, message, reason } = fault;
    if (reset === true) this.#breakages.set(request, "reset");
    else if (truncate === true) this.#breakages.set(request, "truncate");
    const failure = status ?? (reset === true ? 503 : undefined);
    if (failure !== undefined)
      throw new ApiError(
        failure,
        message ?? "The mock is configured to fail.",
        {
          reason,
        },
      );
  }

  /** Returns what must happen to the connection of a request. */
  breakageOf(request: ServerRequest): Breakage | undefined {
    return this.#breakages.get(request);
  }

  #take(method: string): Fault | undefined {
    const fault = this.#faults.find((candidate) => matches(candidate, method));
    if (fault !== undefined && --fault.remaining <= 0)
      this.#faults = this.#faults.filter((other) => other !== fault);
    return fault;
  }

  #delay(): number {
    if (this.#latency === undefined) return 0;
    const { min, max } = this.#latency;
    return min + this.#random.fraction() * (max - min);
  }

  #record({ request, method, status }: LogEntry): void {
    const call = this.#calls.get(request);
    const recorded: RecordedRequest = {
      ...(method === undefined ? {} : { method: method.id }),
      httpMethod: request.method,
      path: publicPath(request.target),
      ...(call === undefined
        ? {}
        : { parameters: publicParameters(call.params as Params) }),
      ...(call?.body === undefined ? {} : { body: withoutSecrets(call.body) }),
      headers: publicHeaders(request.raw),
      status,
    };
    const entry = { request: recorded, size: memorySize(recorded) };
    this.#journal.push(entry);
    this.#journalBytes += entry.size;
    // Entries beyond MAX_REQUESTS are deleted together, because each deletion
    // moves all others.
    if (this.#journal.length >= 2 * MAX_REQUESTS)
      this.#dropEntries(MAX_REQUESTS);
    while (this.#journalBytes > MAX_BYTES && this.#journal.length > 1)
      this.#dropEntries(Math.ceil(this.#journal.length / 10));
  }

  /** Deletes the oldest entries of the journal. */
  #dropEntries(count: number): void {
    for (const { size } of this.#journal.splice(0, count))
      this.#journalBytes -= size;
  }
}

function matches({ method }: Fault, id: string): boolean {
  if (method === undefined || method === id) return true;
  return method.endsWith("*") && id.startsWith(method.slice(0, -1));
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done, { once: true });
  });
}

/** @throws RangeError for values that are not a range of milliseconds */
export function checkLatency(latency: Latency): void {
  const { min, max } = Object(latency) as Latency;
  const isRange = isDelay(min) && isDelay(max) && min <= max;
  if (!isRange)
    throw new RangeError(
      `latency must be a range such as { min: 20, max: 50 } within 0 and ${MAX_DELAY} milliseconds, not ${JSON.stringify(latency)}`,
    );
}

function isDelay(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= MAX_DELAY;
}

const FAULT_MEMBERS: Readonly<Record<keyof Fault, string>> = {
  method: "string",
  times: "number",
  status: "number",
  reason: "string",
  message: "string",
  delay: "number",
  reset: "boolean",
  truncate: "boolean",
};

/** @throws RangeError that names the invalid member */
function checkFault(fault: Fault): void {
  for (const [name, value] of Object.entries(fault)) {
    const type = Object.hasOwn(FAULT_MEMBERS, name)
      ? FAULT_MEMBERS[name as keyof Fault]
      : undefined;
    if (type === undefined)
      throw new RangeError(
        `a fault must not have the member ${JSON.stringify(name.slice(0, 50))}; its members are ${Object.keys(FAULT_MEMBERS).join(", ")}`,
      );
    if (value !== undefined && typeof value !== type)
      throw new RangeError(`${name} of a fault must be a ${type}`);
  }
  const { times = 1, status, delay = 0, reset, truncate } = fault;
  if (!Number.isInteger(times) || times < 1)
    throw new RangeError(`times must be a positive integer, not ${times}`);
  const isError = Number.isInteger(status) && status! >= 400 && status! < 600;
  if (status !== undefined && !isError)
    throw new RangeError(
      `status must be an integer from 400 to 599, not ${status}`,
    );
  if (!isDelay(delay))
    throw new RangeError(
      `delay must be a number from 0 to ${MAX_DELAY} milliseconds, not ${delay}`,
    );
  const hasEffect =
    status !== undefined || delay > 0 || reset === true || truncate === true;
  if (!hasEffect)
    throw new RangeError(
      "a fault must have a status, a delay, reset or truncate",
    );
}
