import type {
  Incoming,
  Outgoing,
} from "../../generated/runtime/server/index.js";
import type { Json, Store } from "./store/store.js";

/** Log line as data. Must not contain credentials or bodies. */
export interface LogLine {
  readonly service: string;
  readonly event: string;
  readonly [fact: string]: unknown;
}

/** Store, clock, log, folder and config of a service. Services use these instead of globals. */
export interface ServiceContext {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (line: LogLine) => void;
  /** Folder for files of the service; undefined if nothing is persisted. */
  readonly folder: string | undefined;
  /** Section of the config file, not validated yet. */
  readonly config: unknown;
}

/** Running service. */
export interface Service {
  /**
   * Paths of the service: prefixes with a trailing slash such as `/orgs/`, exact paths,
   * or `*` for paths of no other service.
   */
  readonly paths: readonly string[];
  /** Milliseconds that a response may take, if that is longer than the host's limit. */
  readonly maxDuration?: number;
  /** Handles a request. Never throws or rejects. */
  handle(request: Incoming): Outgoing | Promise<Outgoing>;
  /**
   * Refuses further requests, waits for those in flight and stops background work.
   *
   * @param grace milliseconds after which requests in flight are aborted
   */
  close(grace?: number): Promise<void>;
}

/** Row of the service table. */
export interface ServiceRow {
  /** Name on the command line: `gen serve chat`. */
  readonly name: string;
  readonly summary: string;
  /** Loads the module of the service. */
  readonly load: () => Promise<ServiceModule>;
}

/** Exports of the module of a service. */
export interface ServiceModule {
  /** @throws ConfigError if the config is invalid */
  start(context: ServiceContext): Promise<Service>;
  /**
   * Adds the sample data of `--demo` unless it exists.
   *
   * @returns config and example requests
   */
  demo(context: ServiceContext): Promise<DemoResult>;
  /**
   * Runs an administration command, also while the service is running. Absent if the
   * service has no commands. The context has no config.
   *
   * @returns result to print
   * @throws AdminError if the command fails
   */
  admin?(context: ServiceContext, command: AdminCommand): Promise<Json>;
}

/** Administration command as received over the socket, not validated. */
export interface AdminCommand {
  /** Operation of the service, such as `key rotate`. */
  readonly operation: string;
  readonly input: Json;
}

/** Reports an administration command that failed without changes. */
export class AdminError extends Error {
  /** Individual problems, such as those of the rows of a file. */
  readonly problems: readonly string[];

  constructor(message: string, problems: readonly string[] = []) {
    super(message);
    this.name = "AdminError";
    this.problems = problems;
  }
}

/** Config and example requests of a demo. */
export interface DemoResult {
  /** Used if the config file has no section for the service. */
  readonly config: unknown;
  /** Returns lines such as a curl command, for the origin of the host. */
  readonly help: (origin: string) => readonly string[];
}

/** Reports a mistake in the config file. */
export class ConfigError extends Error {
  /** JSON pointer of the mistake, relative to the section of the service. */
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.name = "ConfigError";
    this.pointer = pointer;
  }
}
