import { Code } from "../../render/typescript/code.js";
import type { CodeTarget, TargetInput } from "../target.js";
import type { OutputFile } from "../../render/output-file.js";
import { COMMON_HEADERS } from "../shared/common-headers.js";
import { clientFile } from "./client.js";
import { exportLine, typeExports } from "./exports.js";
import type { ApiContext } from "../shared/api-context.js";
import { banner } from "../shared/banner.js";
import { FileContext } from "../shared/file-context.js";
import { errorNames, errorsFile, type ErrorNames } from "./errors.js";
import { resourceFile } from "./resource.js";
import { schemasFile } from "../shared/schemas.js";
import { scopesFile } from "../shared/scopes.js";
import { serviceFile } from "./service.js";
import { NameScope } from "../../model/names.js";

/**
 * Target that prints the client: schemas, one file for each resource, and the
 * client object.
 */
export const clientTarget: CodeTarget = {
  name: "client",
  runtime: "client",
  generate,
};

function generate({ engine, ...context }: TargetInput): OutputFile[] {
  const { names } = context;
  const file = (path: string, text: string): OutputFile => ({
    path: `${names.folder}/${path}.ts`,
    text,
  });
  const errors = errorNames(context);
  return [
    file("index", indexFile(context, errors, engine)),
    file("client", clientFile(context, engine)),
    file("service", serviceFile(context, engine)),
    file("scopes", scopesFile(context, engine)),
    file("schemas", schemasFile(context, engine)),
    ...(errors === undefined
      ? []
      : [file("errors", errorsFile(context, errors, engine))]),
    ...[...names.resources].map(([resource, { file: path }]) =>
      file(path, resourceFile(resource, context, engine)),
    ),
  ];
}

/**
 * Prints index.ts, which exports the client object and types. The functions in
 * resources/ are not exported here and must be imported from their own files.
 */
function indexFile(
  context: ApiContext,
  errors: ErrorNames | undefined,
  engine: TargetInput["engine"],
): string {
  const { title } = context.names;
  const file = new FileContext(context, new NameScope(), "./");
  const line = (text: string, module: string): Code =>
    new Code(`${text} from ${JSON.stringify(module)};`);
  const names = exportLine;
  const taken = [
    `create${title}`,
    `${title}Client`,
    `${title}Options`,
    "createClient",
    "service",
    "CommonParameters",
    COMMON_HEADERS,
    "scopes",
    "schemas",
    "ApiError",
    "isApiError",
    ...(errors === undefined ? [] : [errors.guard, errors.type]),
  ];
  return engine.render("client/index", {
    banner: banner(context.api),
    exports: [
      names("export", [`create${title}`], file.sibling("client")),
      names("export type", [`${title}Client`], file.sibling("client")),
      names("export", ["createClient", "service"], file.sibling("service")),
      names(
        "export type",
        [
          `${title}Options`,
          "CommonParameters",
          ...(context.api.responseHeaders === undefined
            ? []
            : [COMMON_HEADERS]),
        ],
        file.sibling("service"),
      ),
      line("export * as scopes", file.sibling("scopes")),
      line("export type * as schemas", file.sibling("schemas")),
      line("export type *", file.sibling("schemas")),
      ...(errors === undefined
        ? []
        : [
            names("export", [errors.guard], file.sibling("errors")),
            names("export type", [errors.type], file.sibling("errors")),
          ]),
      names("export", ["ApiError", "isApiError"], file.runtime("ApiError")),
      ...typeExports(context, file, taken),
    ],
  });
}
