import { NameScope } from "../../model/names.js";
import { Code, identifier } from "../../render/typescript/code.js";
import { ITEMS, list, print } from "../../render/typescript/layout.js";
import type { Engine } from "../../render/engine.js";
import type { ApiContext } from "../shared/api-context.js";
import { banner } from "../shared/banner.js";
import { COMMON_HEADERS } from "../shared/common-headers.js";
import { ServerFile } from "./server-file.js";
import { ServicePrinter } from "./service-printer.js";
import type { ServerView } from "./views.js";

/**
 * Prints server.ts, which contains the interfaces that services implement, and
 * the function that creates the server.
 */
export function serverFile(context: ApiContext, engine: Engine): string {
  const { title } = context.names;
  const scope = new NameScope([
    `create${title}Server`,
    `${title}Service`,
    "CommonParameters",
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
  const create = createHead(
    title,
    file.type("ServerOptions"),
    file.type("Server"),
  );
  const view: ServerView = {
    banner: banner(context.api),
    imports: file.shared.imports.render(),
    declarations,
    create,
    createServer,
    api: identifier(api),
  };
  return engine.render("server/server", view);
}

function createHead(title: string, options: string, server: string): Code {
  return new Code(
    `${serverHead(title)}\n` +
      `  service: ${title}Service<Auth>,\n` +
      `  options: ${options}<Auth> = {},\n` +
      `): ${server} {`,
  );
}

/**
 * Prints the first line of the function that creates the server. If the line is
 * too long, it is broken at the type parameter.
 */
function serverHead(title: string): string {
  const name = `export function create${title}Server`;
  return print([list(`${name}<`, ["Auth = unknown"], ">", ITEMS), "("]);
}
