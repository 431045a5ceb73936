import { NameScope } from "../../model/names.js";
import { Code, identifier } from "../../render/typescript/code.js";
import { ITEMS, list, print } from "../../render/typescript/layout.js";
import type { Engine } from "../../render/engine.js";
import { banner, type ClientContext } from "../shared/file-context.js";
import { ServerFile } from "./context.js";
import { COMMON_HEADERS } from "./response-headers.js";
import { ServicePrinter } from "./service.js";
import type { ServerView } from "./views.js";

/** server.ts: the interface that a service fills in, and what makes the server of it. */
export function serverFile(context: ClientContext, engine: Engine): string {
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
    banner: banner(context),
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

/** Prettier breaks the type parameters of a head that is longer than a line. */
function serverHead(title: string): string {
  const name = `export function create${title}Server`;
  return print([list(`${name}<`, ["Auth = unknown"], ">", ITEMS), "("]);
}
