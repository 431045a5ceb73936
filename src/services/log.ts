import {
  ApiError,
  type LogEntry,
  type ServerOptions,
  type ServerRequest,
} from "../../generated/runtime/server/index.js";

/**
 * Fields that services add to the log line of a request. They must not contain
 * secrets.
 */
export interface RequestLogFields {
  /** Id of the method in the API description. */
  readonly method?: string | undefined;
  /** Cause of a response with status 500. */
  readonly error?: string | undefined;
  readonly [member: string]: unknown;
}

/**
 * Log fields of each request. The key is the platform's request object, because
 * a service can wrap the `Incoming` object in another object.
 */
const logFields = new WeakMap<object, RequestLogFields>();

/** Adds fields to the log line of a request. */
export function addLogFields(
  request: ServerRequest,
  more: RequestLogFields,
): void {
  const key = keyOf(request);
  logFields.set(key, { ...logFields.get(key), ...more });
}

function keyOf(request: ServerRequest): object {
  const { raw } = request;
  return typeof raw === "object" && raw !== null ? raw : request;
}

/**
 * Server options that add the id of the API method to the log line of each
 * request: `createXServer(service, { ...requestLog })`.
 */
export const requestLog: Pick<ServerOptions<never>, "log"> = {
  log: ({ request, method, status, error }: LogEntry) => {
    // A service throws an ApiError on purpose, for example if its store is down.
    const isBug =
      status >= 500 && error !== undefined && !(error instanceof ApiError);
    addLogFields(request, {
      method: method?.id,
      ...(isBug ? { error: describeError(error) } : {}),
    });
  },
};

/** Returns the fields that services added for a request. */
export function logFieldsOf(request: ServerRequest): RequestLogFields {
  return logFields.get(keyOf(request)) ?? {};
}

/**
 * Returns the class, code and stack of an error. The message is omitted,
 * because it can contain data from a caller.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 4)
    .map((line) => line.trim());
  const { code } = error as { code?: unknown };
  const kind = typeof code === "string" ? `${error.name} ${code}` : error.name;
  return [kind, ...frames].join(" ");
}
