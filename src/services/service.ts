import type {
  Incoming,
  Outgoing,
} from "../../generated/runtime/server/index.js";
import type { Json, Store } from "./store/store.js";

/** One line of the log, as data. It never holds credentials or bodies. */
export interface LogLine {
  readonly service: string;
  readonly event: string;
  readonly [fact: string]: unknown;
}

/** What a service is given. It asks the world nothing that stands here. */
export interface ServiceContext {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (line: LogLine) => void;
  /** Folder for files of the service's own; absent where nothing is to persist. */
  readonly folder: string | undefined;
  /** The service's part of the config file; its own check tells what is wrong. */
  readonly config: unknown;
}

/** A service at work. */
export interface Service {
  /** Starts of the paths that it answers, such as `/orgs/`; a whole path without a slash at its end; `*` for what no other service has. */
  readonly paths: readonly string[];
  /** Milliseconds that an answer may take, where that is longer than the host allows. */
  readonly longest?: number;
  /** Answers a request. Never throws nor rejects. */
  handle(request: Incoming): Outgoing | Promise<Outgoing>;
  /**
   * Refuses what comes, waits for what is under way, stops what runs beside.
   *
   * @param grace milliseconds after which what is under way is aborted
   */
  close(grace?: number): Promise<void>;
}

/** A row of the service table: how a service is started. */
export interface ServiceRow {
  /** As typed: `gen serve chat`. */
  readonly name: string;
  readonly summary: string;
  /** Loads what the service needs, and no more. */
  readonly load: () => Promise<ServiceModule>;
}

/** What the module of a service exports. */
export interface ServiceModule {
  /** @throws ConfigError where the config is wrong */
  start(context: ServiceContext): Promise<Service>;
  /**
   * Puts in what `--demo` shows, unless it is there.
   *
   * @returns lines that tell how to try it
   */
  demo(context: ServiceContext): Promise<DemoResult>;
  /**
   * Carries out what an administrator asks for, also while the service runs;
   * absent where there is nothing to ask for. It has no config.
   *
   * @returns what the command prints
   * @throws AdminError for what can't be done
   */
  admin?(context: ServiceContext, command: AdminCommand): Promise<Json>;
}

/** What an administrator asks a service for, as it comes over the socket: unchecked. */
export interface AdminCommand {
  /** As the service names it, such as `key rotate`. */
  readonly operation: string;
  readonly input: Json;
}

/** An administrator's command can't be carried out; nothing has changed. */
export class AdminError extends Error {
  /** Single problems, such as those of a file's rows. */
  readonly problems: readonly string[];

  constructor(message: string, problems: readonly string[] = []) {
    super(message);
    this.name = "AdminError";
    this.problems = problems;
  }
}

/** The demo's config, and how to try it. */
export interface DemoResult {
  /** Takes the place of the config that is missing. */
  readonly config: unknown;
  /** Given where the service listens, lines such as a call with curl. */
  readonly help: (origin: string) => readonly string[];
}

/** The config file is wrong. */
export class ConfigError extends Error {
  /** Place of the mistake, as a JSON pointer from the service's part. */
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.name = "ConfigError";
    this.pointer = pointer;
  }
}
