import { NameScope } from "../../model/names.js";
import { Code, identifier } from "../../render/typescript/code.js";
import { ITEMS, list, print } from "../../render/typescript/layout.js";
import type { Engine } from "../../render/engine.js";
import type { ApiContext } from "../shared/api-context.js";
import type { OutputFile } from "../../platform/output-file.js";
import { moduleFile, type ModuleView } from "../shared/module-file.js";
import type { ServerView } from "./views.js";
import { COMMON_HEADERS, COMMON_PARAMETERS } from "./handler-interfaces.js";
import { ServerFile } from "./server-file.js";
import { ServicePrinter } from "./service-printer.js";

/**
 * Prints server.ts, which contains the interfaces that services implement, and
 * the function that creates the server.
 */
export function serverFile(context: ApiContext, engine: Engine): OutputFile {
  const { title } = context.names;
  const scope = new NameScope([
    `create${title}Server`,
    `${title}Service`,
    COMMON_PARAMETERS,
    COMMON_HEADERS,
    "Omit",
    "AsyncIterable",
    "Auth",
    "service",
    "options",
  ]);
  const file = new ServerFile(context, scope);
  const api = file.shared.imports.value(file.shared.sibling("routes"), "api");
  const printer = new ServicePrinter(context, file);
  const declarations = printer.declarations();
  const createServer = identifier(file.value("createServer"));
  const view: ModuleView<ServerView> = {
    declarations,
    create: createHead(title, file.type("ServerOptions"), file.type("Server")),
    createServer,
    api: identifier(api),
  };
  const { imports } = file.shared;
  return moduleFile(
    { path: "server", template: "server/server", view, imports },
    context,
    engine,
  );
}

/** Prints the first line of the function that creates the server. */
function createHead(title: string, options: string, server: string): Code {
  const head = serverHead(`export function create${title}Server`);
  return new Code(
    `${head}\n  service: ${title}Service<Auth>,\n` +
      `  options: ${options}<Auth> = {},\n): ${server} {`,
  );
}

/**
 * Prints the first line of the function that creates the server. A long line is
 * broken at the type parameter.
 */
function serverHead(name: string): string {
  return print([list(`${name}<`, ["Auth = unknown"], ">", ITEMS), "("]);
}
