import { Sink } from "../../diagnostics/sink.js";
import type { Target, TargetInput } from "../target.js";
import type { OutputFile } from "../../render/output-file.js";
import { methodsOf } from "../../model/queries.js";
import { nameApi } from "../shared/naming.js";
import { schemasFile } from "../shared/schemas.js";
import { scopesOf } from "../shared/scopes.js";
import type { ClientContext } from "../shared/file-context.js";
import { routesFile } from "./routes.js";
import { serverFile } from "./server.js";

/** The server: its service interface, and the table of routes behind it. */
export const serverTarget: Target = {
  name: "server",
  runtime: "server",
  // schemas.ts names types of the client's runtime.
  borrows: ["client"],
  implies: ["validator"],
  generate,
};

function generate({ api, engine, options, sink }: TargetInput): OutputFile[] {
  if (methodsOf(api.root).length === 0) return []; // nothing to serve
  // The client prints schemas.ts too, and reports what is renamed.
  const hasClient = options.targets?.includes("client") === true;
  const names = nameApi(api, scopesOf(api), hasClient ? new Sink() : sink);
  const context: ClientContext = { api, names, options };
  const file = (path: string, text: string): OutputFile => ({
    path: `${names.folder}/${path}.ts`,
    text,
  });
  const own = [
    file("routes", routesFile(context, engine, sink)),
    file("server", serverFile(context, engine)),
  ];
  return hasClient
    ? own
    : [file("schemas", schemasFile(context, engine)), ...own];
}
