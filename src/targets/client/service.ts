import type { Api } from "../../model/ir.js";
import { methodsOf } from "../../model/passes/direction.js";
import { NameScope } from "../../model/names.js";
import { Code, identifier } from "../../render/code.js";
import { docComment } from "../../render/comment.js";
import type { Engine, View } from "../../render/engine.js";
import { property, type Data } from "../../render/literals.js";
import { named } from "../../render/types.js";
import {
  banner,
  factoryHead,
  FileContext,
  type ClientContext,
} from "./context.js";
import {
  parameterProperties,
  parametersView,
  type ParametersViews,
} from "./parameters.js";
import { memberView } from "./members.js";
import { heritage } from "./interfaces.js";

/**
 * service.ts: where the API lives, the parameters that all its methods share,
 * the options of its clients, and the client that flat functions take.
 */
export function serviceFile(context: ClientContext, engine: Engine): string {
  const { api, names } = context;
  const optionsName = `${names.title}Options`;
  const scope = new NameScope([
    "service",
    "createClient",
    "CommonParameters",
    optionsName,
  ]);
  const file = new FileContext(context, scope, "./");
  const common = commonParameters(context, file);
  const view = {
    banner: banner(context),
    doc: docComment(
      { description: serviceDoc(api), notes: serviceNotes(api) },
      0,
    ),
    Service: identifier(file.runtimeType("Service")),
    entries: serviceEntries(api, file),
    enums: common.enums,
    common: common.view,
    options: optionsView(optionsName, file),
    optionsName: identifier(optionsName),
    Client: identifier(file.runtimeType("Client")),
    create: identifier(file.runtimeValue("createClient")),
    signature: factoryHead(
      "createClient",
      `options: ${optionsName}`,
      file.runtimeType("Client"),
    ),
  };
  return engine.render("client/service", {
    ...view,
    imports: file.imports.render(),
  });
}

function serviceDoc(api: Api): string {
  return [api.title ?? api.canonicalName ?? api.name, api.description]
    .filter((text) => text !== undefined && text !== "")
    .join("\n\n");
}

function serviceNotes(api: Api): string[] {
  const notes: string[] = [];
  if (api.revision !== undefined) notes.push(`Revision ${api.revision}.`);
  if (api.documentationLink !== undefined && api.documentationLink !== "")
    notes.push(`See ${api.documentationLink}`);
  return notes;
}

function serviceEntries(api: Api, file: FileContext): Code[] {
  const use = (name: string): Code => new Code(file.runtimeValue(name));
  const entries: readonly [string, Data | undefined][] = [
    ["rootUrl", api.rootUrl],
    ["servicePath", api.servicePath],
    ["batchPath", api.batchPath],
    ["keepReserved", keepsReserved(api) ? use("keepReserved") : undefined],
    [
      "wrap",
      api.features.includes("dataWrapper") ? use("dataWrapper") : undefined,
    ],
  ];
  return entries.flatMap(([key, value]) =>
    value === undefined ? [] : [new Code(property(key, value, 2))],
  );
}

/** Only `{+variable}` can keep reserved characters. */
function keepsReserved(api: Api): boolean {
  return (
    !api.encodeReserved &&
    methodsOf(api.root).some(({ path }) => path.includes("{+"))
  );
}

function commonParameters(
  context: ClientContext,
  file: FileContext,
): ParametersViews {
  const input = {
    name: "CommonParameters",
    doc: new Code("/** Parameters that all methods take. */\n"),
    parameters: context.api.parameters,
    renamed: context.names.common,
    scope: file.scope,
    prefix: "Common",
    names: file.schemaTypes(),
    trustProse: context.options.trustProse,
  };
  return parametersView(input, parameterProperties(input), undefined);
}

function optionsView(name: string, file: FileContext): View {
  return {
    doc: new Code("/** Settings of a client of this API. */\n"),
    name: identifier(name),
    heritage: heritage(name, named(file.runtimeType("ClientOptions")), false),
    fields: [
      memberView({
        name: "parameters",
        type: named("CommonParameters"),
        doc: {
          description:
            "Common parameters for every call; a call's own ones win.",
        },
        isOptional: true,
        isReadonly: true,
      }),
    ],
  };
}
