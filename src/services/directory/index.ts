import { type FSWatcher, watch } from "node:fs";
import { createDiscoveryServer } from "../../../generated/discovery/v1/server.js";
import type { ServerRequest } from "../../../generated/runtime/server/index.js";
import { preferredIds } from "../../site/versions.js";
import { requestLog } from "../log.js";
import type { DemoResult, Service, ServiceContext } from "../service.js";
import { Catalogue } from "./catalogue.js";
import { readConfig } from "./config.js";
import type { FolderContent } from "./folder.js";
import { bytesOf, handlers, readDocument } from "./handlers.js";
import { LIST_PATH } from "./list.js";
import { Pages } from "./pages/index.js";
import { callerOrigin, ResponseCache } from "./response-cache.js";

/**
 * Milliseconds between the start of the service and the first checks, so that
 * the checks do not delay early requests.
 */
const CHECK_DELAY = 50;

/** Checks the config of the directory service. */
export async function check(config: unknown): Promise<void> {
  readConfig(config);
}

/**
 * Starts the directory service. It serves the documents in a folder through the
 * API of specs/discovery.v1.json and as HTML pages.
 *
 * @throws ConfigError if the config is invalid
 */
export async function start(context: ServiceContext): Promise<Service> {
  const config = readConfig(context.config);
  const catalogue = new Catalogue(config.folder, context.log);
  const content = catalogue.open();
  // The fallback `request.origin` is never used in a response, because the
  // response cache rejects requests whose origin can't be determined.
  const origin = (request: ServerRequest): string =>
    callerOrigin(request, config) ?? request.origin;
  const server = createDiscoveryServer(handlers(catalogue, config, origin), {
    cors: { origins: "*" },
    ...requestLog,
  });
  const pages = new Pages(
    catalogue,
    async (id, origin) => {
      const body = await readDocument(catalogue, config, id, origin);
      return body && bytesOf(body);
    },
    config.tryIt,
  );
  const responseCache = new ResponseCache(
    {
      server,
      resolveAlias: (target, host) => resolveAlias(target, host, catalogue),
      page: (target, origin) => pages.handle(target, origin),
    },
    config,
  );
  let paths = pathsOf(catalogue);
  catalogue.onChange = () => {
    responseCache.clear();
    paths = pathsOf(catalogue);
  };
  const watch = new FolderWatch(content, () => catalogue.rescan());
  const checks = setTimeout(
    () => void catalogue.checkAll(),
    CHECK_DELAY,
  ).unref();
  return {
    get paths() {
      return paths;
    },
    handle: (request) => responseCache.handle(request),
    async close() {
      clearTimeout(checks);
      responseCache.close();
      watch.close();
      catalogue.close();
      await server.close();
    },
  };
}

/**
 * Returns the config of the demo. The demo serves the API descriptions in this
 * package.
 */
export async function demo(): Promise<DemoResult> {
  return {
    config: {},
    help: (origin) => [
      `List of APIs:        curl ${origin}/discovery/v1/apis`,
      `Ids and titles:      curl '${origin}/discovery/v1/apis?preferred=true&fields=items(id,title)'`,
      `A document:          curl ${origin}/discovery/v1/apis/discovery/v1/rest`,
      `Generated client:    curl -s ${origin}/discovery/v1/apis/chat/v1/rest | gen --spec - --out client`,
      `HTML pages:          open ${origin}/`,
    ],
  };
}

function pathsOf({ summaries }: Catalogue): string[] {
  return [
    "/",
    "/discovery/",
    "/apis/",
    "/assets/directory/",
    ...aliasPaths(summaries.map(({ name }) => name)),
  ];
}

/**
 * Milliseconds without further changes after which the folder is scanned again.
 * The delay is needed because a file is often written in several steps.
 */
const QUIET_TIME = 100;

/** Maximum number of milliseconds between a change and the next scan. */
const MAX_DELAY = 500;

/** Milliseconds between scans if all folders are watched. */
const INTERVAL = 5000;

/** Milliseconds between scans if some folders can't be watched. */
const SHORT_INTERVAL = 750;

/** Maximum number of watched folders. */
const MAX_WATCHERS = 256;

/** Watcher that scans a folder again when it changes. */
class FolderWatch {
  readonly #rescan: () => FolderContent;
  readonly #watchers = new Map<string, FSWatcher>();
  #interval = INTERVAL;
  #quietTimer: NodeJS.Timeout | undefined;
  #nextTimer: NodeJS.Timeout | undefined;
  #changedAt: number | undefined;

  constructor(content: FolderContent, rescan: () => FolderContent) {
    this.#rescan = rescan;
    this.#updateWatchers(content);
    this.#schedule();
  }

  close(): void {
    clearTimeout(this.#quietTimer);
    clearTimeout(this.#nextTimer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Watches new folders and stops watching deleted ones. */
  #updateWatchers({ folders }: FolderContent): void {
    for (const [folder, watcher] of this.#watchers) {
      if (folders.includes(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    this.#interval = INTERVAL;
    for (const folder of folders)
      if (!this.#add(folder)) this.#interval = SHORT_INTERVAL;
  }

  #add(folder: string): boolean {
    if (this.#watchers.has(folder)) return true;
    if (this.#watchers.size >= MAX_WATCHERS) return false;
    try {
      const watcher = watch(folder, { persistent: false }, () =>
        this.#changed(),
      );
      watcher.on("error", () => {
        watcher.close();
        this.#watchers.delete(folder);
        this.#changed();
      });
      this.#watchers.set(folder, watcher);
      return true;
    } catch {
      // The watch failed: either there are too many watchers, or the file
      // system does not support watching.
      return false;
    }
  }

  #changed(): void {
    const now = performance.now();
    this.#changedAt ??= now;
    clearTimeout(this.#quietTimer);
    const left = Math.max(0, this.#changedAt + MAX_DELAY - now);
    this.#quietTimer = setTimeout(
      () => this.#run(),
      Math.min(QUIET_TIME, left),
    ).unref();
  }

  #run(): void {
    clearTimeout(this.#quietTimer);
    this.#changedAt = undefined;
    this.#updateWatchers(this.#rescan());
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#nextTimer);
    this.#nextTimer = setTimeout(() => this.#run(), this.#interval).unref();
  }
}

/**
 * Pattern for `/$discovery/rest` and `/{name}/$discovery/rest`. The dollar sign
 * can be percent-encoded.
 */
const ALIAS = /^(?:\/([^/]+))?\/(?:\$|%24)discovery\/rest$/i;

/**
 * Converts `/$discovery/rest?version=V`, the URL form that API hosts use, to
 * the request target of the method getRest. If the path contains no API name,
 * selects the API whose `rootUrl` has the host of the request; if no such API
 * exists, selects the directory's own API. If the version is missing, selects
 * the preferred version. Returns undefined for other targets.
 */
function resolveAlias(
  target: string,
  host: string,
  catalogue: Catalogue,
): string | undefined {
  const [path = "", ...rest] = target.split("?");
  const match = ALIAS.exec(path);
  if (match === null) return undefined;
  const query = rest.join("?");
  const name = match[1] ?? encodeURIComponent(apiNameFor(host, catalogue));
  const version =
    new URLSearchParams(query).get("version") ??
    preferredVersion(decodeSafely(name), catalogue);
  return `${LIST_PATH}/${name}/${encodeURIComponent(version)}/rest?${query}`;
}

/**
 * Returns the paths that end in `/$discovery/rest` for the given API names, for
 * use in `Service.paths`.
 */
function aliasPaths(names: Iterable<string>): string[] {
  const prefixes = [...new Set(names)].map(
    (name) => `/${encodeURIComponent(name)}`,
  );
  return ["", ...prefixes].flatMap((prefix) => [
    `${prefix}/$discovery/rest`,
    `${prefix}/%24discovery/rest`,
  ]);
}

function apiNameFor(host: string, { summaries }: Catalogue): string {
  return (
    summaries.find((summary) => summary.host === host)?.name ?? "discovery"
  );
}

function preferredVersion(name: string, { summaries }: Catalogue): string {
  const ids = preferredIds(summaries);
  const preferred = summaries.find(
    (summary) => summary.name === name && ids.has(summary.id),
  );
  return preferred?.version ?? "none";
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
