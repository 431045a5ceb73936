import { ApiError } from "../../../generated/runtime/server/index.js";
import type { Backend, Job, JsonObject } from "./backend.js";
import { Breaker, retryTime } from "./breaker.js";
import { upstreamBackend } from "./upstream.js";
import type { GroupedUpstreamConfig } from "./upstream-config.js";
import { backendError } from "./upstream-errors.js";

/**
 * HTTP statuses of errors that the request causes at every upstream, or that its
 * caller causes by disconnecting.
 */
const REQUEST_ERRORS = new Set([400, 409, 413, 422, 499]);

/** Upstream of a group. */
interface Member {
  readonly config: GroupedUpstreamConfig;
  readonly backend: ReturnType<typeof upstreamBackend>;
  readonly breaker: Breaker;
  /** Value of the smooth weighted round robin. */
  current: number;
}

/**
 * Returns a backend that distributes requests to several upstreams by weight.
 * If an upstream fails before the caller has received a part of its response,
 * the request is sent to the next one.
 */
export function upstreamGroup(
  configs: readonly GroupedUpstreamConfig[],
): Backend {
  const members = configs.map((config) => ({
    config,
    backend: upstreamBackend(config),
    breaker: new Breaker(config.breaker),
    current: 0,
  }));
  return {
    maxDuration: Math.max(...members.map(({ backend }) => backend.maxDuration)),
    complete: (job) =>
      firstOf(members, job, ({ backend }) => once(backend.complete(job))),
    stream: (job) =>
      attempts(members, job, (member) => member.backend.stream(job)),
    embed: (job) =>
      firstOf(members, job, ({ backend }) => once(backend.embed(job))),
    health: () => ({
      open: members.filter(({ breaker }) => breaker.isOpen).length,
      isPaused: members.every(({ breaker }) => breaker.isPaused),
    }),
  };
}

/** Function that sends a request to an upstream. */
type Send = (member: Member) => AsyncIterable<JsonObject>;

/** Returns a complete response as a stream with one element. */
async function* once(
  response: Promise<JsonObject>,
): AsyncGenerator<JsonObject> {
  yield await response;
}

async function firstOf(
  members: readonly Member[],
  job: Job,
  send: Send,
): Promise<JsonObject> {
  let result: JsonObject | undefined;
  for await (const response of attempts(members, job, send)) result = response;
  return result!;
}

/** Sends a request to one upstream after the other until one responds. */
async function* attempts(
  members: readonly Member[],
  job: Job,
  send: Send,
): AsyncGenerator<JsonObject> {
  const tried = new Set<Member>();
  let failure:
    { readonly error: unknown; readonly upstream: string } | undefined;
  for (;;) {
    const member = nextMember(members, tried);
    if (member === undefined) throw failure?.error ?? unavailable(members);
    const upstream = member.config.name;
    if (failure !== undefined)
      job.report("failover", {
        upstream: failure.upstream,
        next: upstream,
        failure: codeOf(failure.error),
      });
    tried.add(member);
    const attempt = { hasStarted: false };
    try {
      yield* observed(member, job, send, attempt);
      return;
    } catch (error) {
      // After the first part, the caller can't receive another response.
      if (attempt.hasStarted || !isUpstreamFault(error)) throw error;
      failure = { error, upstream };
    }
  }
}

/** Sends a request to an upstream, and records its result in the breaker. */
async function* observed(
  member: Member,
  job: Job,
  send: Send,
  attempt: { hasStarted: boolean },
): AsyncGenerator<JsonObject> {
  const { breaker, config } = member;
  const report = (state: "open" | "closed"): void =>
    job.report("breaker", { upstream: config.name, state });
  breaker.start();
  try {
    for await (const part of send(member)) {
      // An open breaker closes with the first part: the end of a stream can be
      // minutes away.
      if (!attempt.hasStarted && breaker.isOpen && breaker.succeed())
        report("closed");
      attempt.hasStarted = true;
      yield part;
    }
    breaker.succeed();
  } catch (error) {
    if (!isUpstreamFault(error)) {
      if (!job.signal.aborted && breaker.succeed()) report("closed");
    } else recordFailure(member, error, report);
    throw error;
  } finally {
    breaker.release();
  }
}

function recordFailure(
  { breaker }: Member,
  error: unknown,
  report: (state: "open") => void,
): void {
  const { status, extras } = error as ApiError;
  const wait = retryTime(extras.headers ?? {}) ?? 0;
  if (wait > 0) breaker.skip(wait);
  // An upstream that says when it accepts requests again works.
  if (status === 429 && wait > 0) return;
  if (breaker.fail()) report("open");
}

/** Tests whether another upstream could respond to the request. */
function isUpstreamFault(error: unknown): boolean {
  return error instanceof ApiError && !REQUEST_ERRORS.has(error.status);
}

function codeOf(error: unknown): string {
  const { status, extras } = error as ApiError;
  return typeof extras.cause === "string" ? extras.cause : `status ${status}`;
}

/**
 * Returns the next available upstream by weight (smooth weighted round robin).
 * Upstreams with the weight 0 follow when no other is available. Returns
 * undefined if all available upstreams have been tried.
 */
function nextMember(
  members: readonly Member[],
  tried: ReadonlySet<Member>,
): Member | undefined {
  const available = members.filter(
    (member) => !tried.has(member) && member.breaker.isAvailable,
  );
  const weighted = available.filter(({ config }) => config.weight > 0);
  if (weighted.length === 0) return available[0];
  let total = 0;
  for (const member of weighted) {
    member.current += member.config.weight;
    total += member.config.weight;
  }
  const next = weighted.reduce((best, member) =>
    member.current > best.current ? member : best,
  );
  next.current -= total;
  return next;
}

function unavailable(members: readonly Member[]): ApiError {
  const wait = Math.min(...members.map(({ breaker }) => breaker.waitTime));
  return backendError(
    503,
    "No back end of the model is available.",
    { "retry-after": String(Math.max(1, Math.ceil(wait / 1000))) },
    "no upstream available",
  );
}
