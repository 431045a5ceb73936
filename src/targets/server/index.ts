import type { OutputFile, Target, TargetInput } from "../target.js";
import { nameApi } from "../client/naming.js";
import { schemasFile } from "../client/schemas.js";
import { scopesOf } from "../client/scopes.js";
import type { ClientContext } from "../client/context.js";
import { routesFile } from "./routes.js";
import { serverFile } from "./server.js";

/** The server: its service interface, and the table of routes behind it. */
export const serverTarget: Target = {
  name: "server",
  runtime: "server",
  generate,
};

function generate({ api, engine, options, sink }: TargetInput): OutputFile[] {
  const names = nameApi(api, scopesOf(api), sink);
  const context: ClientContext = { api, names, options };
  const file = (path: string, text: string): OutputFile => ({
    path: `${names.folder}/${path}.ts`,
    text,
  });
  return [
    file("schemas", schemasFile(context, engine)),
    file("routes", routesFile(context, engine, sink)),
    file("server", serverFile(context, engine)),
  ];
}
