import type {
  LogEntry,
  ServerOptions,
  ServerRequest,
} from "../../generated/runtime/server/index.js";
import type { LogLine } from "./service.js";

/** What the services know of a request, and the host does not; never a secret. */
export interface RequestFacts {
  /** Id of the method in the description. */
  readonly method?: string | undefined;
  /** Why the answer is a 500. */
  readonly error?: string | undefined;
  readonly [fact: string]: unknown;
}

/** By the platform's request: services may wrap the one that they are given. */
const facts = new WeakMap<object, RequestFacts>();

/** Adds to the line that the host writes about a request. */
export function noteRequest(request: ServerRequest, more: RequestFacts): void {
  const key = keyOf(request);
  facts.set(key, { ...facts.get(key), ...more });
}

function keyOf(request: ServerRequest): object {
  const { raw } = request;
  return typeof raw === "object" && raw !== null ? raw : request;
}

/**
 * Options of generated servers that let the host's line about a request name
 * the method: `createXServer(service, { ...requestLog })`.
 */
export const requestLog: Pick<ServerOptions<never>, "log"> = {
  log: ({ request, method, status, error }: LogEntry) => {
    const isBug = status >= 500 && error !== undefined;
    noteRequest(request, {
      method: method?.id,
      ...(isBug ? { error: describe(error) } : {}),
    });
  },
};

/** What is known of a request that was answered. */
export function factsOf(request: ServerRequest): RequestFacts {
  return facts.get(keyOf(request)) ?? {};
}

/** The kind of an error and the places it came from. Its message may hold a caller's data. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const places = (error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 4)
    .map((line) => line.trim());
  const { code } = error as { code?: unknown };
  const kind = typeof code === "string" ? `${error.name} ${code}` : error.name;
  return [kind, ...places].join(" ");
}

/** Writes log lines as JSON, one each. */
export function jsonLog(
  write: (text: string) => void,
  now: () => number = Date.now,
): (line: LogLine) => void {
  return (line) => {
    const time = new Date(now()).toISOString();
    write(`${JSON.stringify({ time, ...line })}\n`);
  };
}
