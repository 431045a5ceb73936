import { createDiscoveryServer } from "../../../generated/discovery/v1/server.js";
import type { ServerRequest } from "../../../generated/runtime/server/index.js";
import { requestLog } from "../log.js";
import type { DemoResult, Service, ServiceContext } from "../service.js";
import { aliasPaths, unalias } from "./alias.js";
import { Catalogue } from "./catalogue.js";
import { readConfig } from "./config.js";
import { Front } from "./response-cache.js";
import { bytesOf, handlers, readAt } from "./handlers.js";
import { originOf } from "./origin.js";
import { Pages } from "./pages/index.js";
import { FolderWatch } from "./watch.js";

/** Milliseconds after the start in which requests have the processor for themselves. */
const HEAD_START = 50;

/**
 * Starts the directory: the API of specs/discovery.v1.json over a folder of
 * documents, and pages for people.
 *
 * @throws ConfigError where the config is wrong
 */
export async function start(context: ServiceContext): Promise<Service> {
  const config = readConfig(context.config);
  const catalogue = new Catalogue(config.folder, context.log);
  const content = catalogue.open();
  // The front answers no request without an origin.
  const origin = (request: ServerRequest): string =>
    originOf(request, config) ?? request.origin;
  const server = createDiscoveryServer(handlers(catalogue, config, origin), {
    cors: { origins: "*" },
    ...requestLog,
  });
  const pages = new Pages(catalogue, async (id, at) => {
    const body = await readAt(catalogue, config, id, at);
    return body && bytesOf(body);
  });
  const front = new Front(
    {
      server,
      unalias: (target, host) => unalias(target, host, catalogue),
      page: (target, at) => pages.answer(target, at),
    },
    config,
  );
  let paths = pathsOf(catalogue);
  catalogue.onChange = () => {
    front.clear();
    paths = pathsOf(catalogue);
  };
  const watch = new FolderWatch(content, () => catalogue.rescan());
  const checks = setTimeout(
    () => void catalogue.checkAll(),
    HEAD_START,
  ).unref();
  return {
    get paths() {
      return paths;
    },
    handle: (request) => front.handle(request),
    async close() {
      clearTimeout(checks);
      front.close();
      watch.close();
      catalogue.close();
      await server.close();
    },
  };
}

/** The package's own descriptions need no preparation. */
export async function demo(): Promise<DemoResult> {
  return {
    config: {},
    help: (origin) => [
      `The list:            curl ${origin}/discovery/v1/apis`,
      `One entry's names:   curl '${origin}/discovery/v1/apis?preferred=true&fields=items(id,title)'`,
      `A document:          curl ${origin}/discovery/v1/apis/discovery/v1/rest`,
      `A client from one:   curl -s ${origin}/discovery/v1/apis/chat/v1/rest | gen --spec - --out client`,
      `The pages:           open ${origin}/`,
    ],
  };
}

/** Paths that the host gives to this service. */
function pathsOf({ facts }: Catalogue): string[] {
  return [
    "/",
    "/discovery/",
    "/apis/",
    "/assets/directory/",
    ...aliasPaths(facts.map(({ name }) => name)),
  ];
}
