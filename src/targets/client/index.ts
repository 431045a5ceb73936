import { Code } from "../../render/typescript/code.js";
import type { CodeTarget, TargetInput } from "../target.js";
import type { OutputFile } from "../../platform/output-file.js";
import { COMMON_HEADERS } from "../shared/common-headers.js";
import { clientFile } from "./client.js";
import { exportLine, typeExports } from "./exports.js";
import type { ApiContext } from "../shared/api-context.js";
import { moduleFile } from "../shared/module-file.js";
import { FileContext } from "../shared/file-context.js";
import { errorNames, errorsFile, type ErrorNames } from "./errors.js";
import { resourceFile } from "./resource.js";
import { schemasFile } from "../shared/schemas.js";
import { scopesFile } from "../shared/scopes.js";
import { serviceFile } from "./service.js";
import { NameScope } from "../../model/names.js";

/**
 * Target that generates the client: schemas, one file for each resource, and
 * the client object. For a document without methods, it generates only the
 * schemas.
 */
export const clientTarget: CodeTarget = {
  name: "client",
  runtime: "client",
  generate,
};

function generate({ engine, sink, ...context }: TargetInput): OutputFile[] {
  const { names, methods } = context;
  if (methods.length === 0) {
    sink.report(
      "method-none",
      `${context.api.id} has no methods, so no client is generated`,
      "",
    );
    return [schemasFile(context, engine)];
  }
  const errors = errorNames(context);
  return [
    indexFile(context, errors, engine),
    clientFile(context, engine),
    serviceFile(context, engine),
    scopesFile(context, engine),
    schemasFile(context, engine),
    ...(errors === undefined ? [] : [errorsFile(context, errors, engine)]),
    ...[...names.resources].map(([resource, { file: path }]) =>
      resourceFile(resource, path, context, engine),
    ),
  ];
}

/**
 * Prints index.ts, which exports the client object and types. Functions that
 * call individual methods are not exported; they are imported from resources/
 * instead.
 */
function indexFile(
  context: ApiContext,
  errors: ErrorNames | undefined,
  engine: TargetInput["engine"],
): OutputFile {
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
    "ClientParameters",
    COMMON_HEADERS,
    "scopes",
    "schemas",
    "ApiError",
    "isApiError",
    ...(errors === undefined ? [] : [errors.guard, errors.type]),
  ];
  const view = {
    exports: [
      names("export", [`create${title}`], file.sibling("client")),
      names("export type", [`${title}Client`], file.sibling("client")),
      names("export", ["createClient", "service"], file.sibling("service")),
      names(
        "export type",
        [
          `${title}Options`,
          "CommonParameters",
          "ClientParameters",
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
  };
  return moduleFile(
    { path: "index", template: "client/index", view },
    context,
    engine,
  );
}
