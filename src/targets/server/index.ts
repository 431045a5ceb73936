import type { OutputFile } from "../../platform/output-file.js";
import { schemasFile } from "../shared/schemas.js";
import type { CodeTarget, TargetInput } from "../target.js";
import { routesFile } from "./routes.js";
import { serverFile } from "./server.js";

/**
 * Target that generates the server: its service interface and its route table.
 */
export const serverTarget: CodeTarget = {
  name: "server",
  runtime: "server",
  // schemas.ts imports types from this module.
  borrows: { client: ["types"] },
  implies: ["validator"],
  generate,
};

function generate({ engine, sink, ...context }: TargetInput): OutputFile[] {
  const { methods, options } = context;
  if (methods.length === 0) return []; // no routes
  const files = [
    routesFile(context, engine, sink),
    serverFile(context, engine),
  ];
  // If the client is generated too, the client target already prints
  // schemas.ts.
  const hasClient = options.targets?.includes("client") === true;
  return hasClient ? files : [schemasFile(context, engine), ...files];
}
