import type { ApiDefinition } from "../../generated/runtime/server/core.js";
import {
  ApiError,
  type Incoming,
  type Outgoing,
} from "../../generated/runtime/server/index.js";
import type { Store } from "./store/store.js";

/**
 * Log line as an object. It must not contain credentials or the bodies of
 * requests and responses.
 */
export interface LogLine {
  readonly service: string;
  readonly event: string;
  readonly [member: string]: unknown;
}

/**
 * Store, clock, log, folder and config of a service. Services use these members
 * instead of global functions.
 */
export interface ServiceContext {
  readonly store: Store;
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (line: LogLine) => void;
  /**
   * Folder for files of the service; undefined if the service stores no files.
   */
  readonly folder: string | undefined;
  /** Section of the service in the config file. It is not validated yet. */
  readonly config: unknown;
}

/** Service that has been started. */
export interface Service {
  /**
   * Paths that the service handles: prefixes with a trailing slash such as
   * `/orgs/`, exact paths, or `*` for all paths that no other service handles.
   */
  readonly paths: readonly string[];
  /**
   * Maximum duration of a response in milliseconds, if it can exceed the host's
   * connection timeout.
   */
  readonly maxDuration?: number;
  /** Handles a request. Never throws or rejects. */
  handle(request: Incoming): Outgoing | Promise<Outgoing>;
  /**
   * Rejects further requests, waits for requests in flight and stops background
   * work.
   *
   * @param grace milliseconds after which requests in flight are aborted
   */
  close(grace?: number): Promise<void>;
  /**
   * Returns current values for metrics, such as the number of open streams, by
   * the name of the metric.
   */
  gauges?(): Promise<Readonly<Record<string, number>>>;
  /**
   * Returns the reason why the service can't serve requests, such as back ends
   * that fail; undefined if it can.
   */
  problem?(): string | undefined;
}

/** Service in the table of all services. */
export interface ServiceRow {
  /** Name on the command line, such as `chat` in `gen serve chat`. */
  readonly name: string;
  readonly summary: string;
  /**
   * True if a service must be closed before another one with a new config is
   * started in the same process.
   */
  readonly isExclusive?: boolean;
  /** Imports the definition of the service's API. */
  readonly loadApi?: () => Promise<ApiDefinition>;
  /** Imports the module of the service. */
  readonly load: () => Promise<ServiceModule>;
}

export interface ServiceModule {
  /**
   * Starts the service.
   *
   * @throws ConfigError if the config is invalid
   */
  start(context: ServiceContext): Promise<Service>;
  /**
   * Checks the section of the service in the config file without starting the
   * service. Absent if the service has no settings.
   *
   * @throws ConfigError if the config is invalid
   */
  check?(config: unknown): Promise<void>;
  /**
   * Adds the sample data for `--demo` to the store, unless it already exists.
   *
   * @returns config and example requests
   */
  demo(context: ServiceContext): Promise<DemoResult>;
}

/**
 * Error of a change by an administrator, which has changed nothing. It is the
 * response of the admin API.
 */
export class AdminError extends ApiError {
  override readonly name: string = "AdminError";
  /**
   * Individual problems, such as one for each invalid row of an imported file.
   */
  readonly problems: readonly string[];

  /** @param status status of the response */
  constructor(
    message: string,
    problems: readonly string[] = [],
    status: number = 400,
  ) {
    const list = problems.map((problem) => ({ message: problem }));
    super(status, message, list.length === 0 ? {} : { problems: list });
    this.problems = problems;
  }
}

/** Config and example requests of a demo. */
export interface DemoResult {
  /**
   * Config that the service uses if the config file has no section for the
   * service.
   */
  readonly config: unknown;
  /**
   * Returns example requests, such as curl commands, for the given origin of
   * the host.
   */
  readonly help: (origin: string) => readonly string[];
}

/** Error for a mistake in the config file. */
export class ConfigError extends Error {
  /** JSON pointer to the mistake, relative to the section of the service. */
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.name = "ConfigError";
    this.pointer = pointer;
  }
}
