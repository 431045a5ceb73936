import { createDiscoveryServer } from "../../../generated/discovery/v1/server.js";
import type { ServerRequest } from "../../../generated/runtime/server/index.js";
import { requestLog } from "../log.js";
import type { DemoResult, Service, ServiceContext } from "../service.js";
import { aliasPaths, resolveAlias } from "./alias.js";
import { Catalogue } from "./catalogue.js";
import { readConfig } from "./config.js";
import { ResponseCache } from "./response-cache.js";
import { bytesOf, handlers, readDocument } from "./handlers.js";
import { callerOrigin } from "./origin.js";
import { Pages } from "./pages/index.js";
import { FolderWatch } from "./watch.js";

/**
 * Milliseconds between the start of the service and the first checks, so that
 * the checks do not delay early requests.
 */
const CHECK_DELAY = 50;

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

/** Returns the paths of the service. */
function pathsOf({ summaries }: Catalogue): string[] {
  return [
    "/",
    "/discovery/",
    "/apis/",
    "/assets/directory/",
    ...aliasPaths(summaries.map(({ name }) => name)),
  ];
}
