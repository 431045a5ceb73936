import { SonicBoom } from "sonic-boom";
import type {
  LogEntry,
  ServerOptions,
  ServerRequest,
} from "../../generated/runtime/server/index.js";
import { runnerText } from "../diagnostics/reporters/output.js";
import type { LogLine } from "./service.js";

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
    const isBug = status >= 500 && error !== undefined;
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

/** Log of a running server. */
export interface ServerLog {
  /**
   * Adds a line with a timestamp. Returns at once. The line is lost if the
   * reader of the log is too slow or the disk is full.
   */
  readonly log: (line: LogLine) => void;
  /**
   * Ends the log. Waits until all lines are written, but at most {@link
   * CLOSE_TIME}. Returns false if lines are still pending; a pending write can
   * prevent the exit of the process.
   */
  close(): Promise<boolean>;
}

/** Size in bytes of the lines that wait to be written; further lines are lost. */
const MAX_PENDING = 1024 * 1024;

/** Maximum milliseconds to wait for pending lines when the server stops. */
const CLOSE_TIME = 500;

/**
 * Opens a log with one line of JSON per event. Lines are written in the
 * background, so neither a slow reader nor a full disk delays requests. Lost
 * lines are counted: once the pending lines are written, a line with the event
 * `log-lines-lost` follows.
 *
 * @param descriptor file descriptor of a file, pipe, socket or terminal
 */
export function openLog(
  descriptor: number,
  now: () => number = Date.now,
): ServerLog {
  const destination = new SonicBoom({
    fd: descriptor,
    sync: false,
    maxLength: MAX_PENDING,
  });
  let lost = 0;
  let isClosed = false;
  destination.on("drop", () => lost++);
  // The lines of a failed write stay pending; the next line retries them.
  destination.on("error", () => {});
  const print = (line: LogLine): void => {
    const time = new Date(now()).toISOString();
    destination.write(runnerText(`${JSON.stringify({ time, ...line })}\n`));
  };
  const reportLost = (): void => {
    if (lost === 0) return;
    const lines = lost;
    lost = 0;
    print({ service: "host", event: "log-lines-lost", lines });
  };
  destination.on("drain", reportLost);
  return {
    log(line) {
      if (!isClosed) print(line);
    },
    close() {
      if (isClosed) return Promise.resolve(true);
      isClosed = true;
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), CLOSE_TIME);
        destination.once("finish", () => {
          clearTimeout(timer);
          resolve(true);
        });
        destination.end();
      });
    },
  };
}
