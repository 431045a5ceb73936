// Longer than other files: all declarations of one generated file.

import type { Api, Credential } from "../../model/ir.js";
import { methodsOf } from "../../model/queries.js";
import { NameScope } from "../../model/names.js";
import { Code, identifier } from "../../render/typescript/code.js";
import { docComment } from "../../render/typescript/comment.js";
import type { Engine, View } from "../../render/engine.js";
import { property, type Data } from "../../render/typescript/literals.js";
import { named, type TypeTree } from "../../render/typescript/types.js";
import {
  banner,
  factoryHead,
  FileContext,
  type ClientContext,
} from "../shared/file-context.js";
import { commonHeaders } from "./response-headers.js";
import { credentialNote } from "../shared/docs.js";
import { credentialRules } from "./features.js";
import {
  parameterProperties,
  parametersView,
  type ParametersViews,
} from "../shared/parameters.js";
import { memberView } from "../shared/members.js";
import { heritage } from "../shared/interfaces.js";

/**
 * service.ts: where the API lives, the parameters that all its methods share,
 * the options of its clients, and the client that flat functions take.
 */
export function serviceFile(context: ClientContext, engine: Engine): string {
  const { api, names } = context;
  const optionsName = `${names.title}Options`;
  const bareName = `${names.title}BareOptions`;
  const scope = new NameScope([
    "service",
    "createClient",
    "createBareClient",
    "CommonParameters",
    "CommonHeaders",
    "credential",
    optionsName,
    bareName,
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
    options: [
      optionsView(
        optionsName,
        "ClientOptions",
        [...authMember(api, file), ...locationMember(api)],
        file,
      ),
      optionsView(bareName, "BareOptions", authMember(api, file), file),
    ],
    optionsName: identifier(optionsName),
    Client: identifier(file.runtimeType("Client")),
    create: identifier(file.runtimeValue("createClient")),
    settings: settingsCode(api, file),
    credential: credentialView(api, file),
    headers: commonHeaders(context),
    createBare: identifier(file.runtimeValue("createBareClient")),
    bareSignature: factoryHead(
      "createBareClient",
      `options: ${bareName}`,
      file.runtimeType("Client"),
    ),
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

/** Services that document a lower limit of calls in a batch than 100. */
const BATCH_SIZES: Readonly<Record<string, number>> = {
  __proto__: null as never,
  calendar: 50,
  gmail: 50,
};

function serviceEntries(api: Api, file: FileContext): Code[] {
  const use = (name: string): Code => new Code(file.runtimeValue(name));
  const entries: readonly [string, Data | undefined][] = [
    ["rootUrl", api.rootUrl],
    ["servicePath", api.servicePath],
    ["batchPath", api.batchPath],
    ["batchSize", api.batchPath && BATCH_SIZES[api.name]],
    ["mtlsRootUrl", hasUsualMtls(api) ? undefined : api.mtlsRootUrl],
    ["endpoints", endpointsOf(api)],
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

/** Whether the runtime can tell the URL; most documents have this one. */
function hasUsualMtls({ rootUrl, mtlsRootUrl }: Api): boolean {
  const usual = rootUrl.replace(".googleapis.com/", ".mtls.googleapis.com/");
  return mtlsRootUrl === usual;
}

/** Root URLs by location; of several for one location the first. */
function endpointsOf({ endpoints }: Api): Data | undefined {
  if (endpoints.length === 0) return undefined;
  const urls = new Map<string, string>();
  for (const { location, url } of endpoints)
    if (!urls.has(location)) urls.set(location, url);
  return Object.fromEntries(urls);
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
    isGiven: true,
  };
  return parametersView(input, parameterProperties(input), undefined);
}

function optionsView(
  name: string,
  base: "ClientOptions" | "BareOptions",
  members: readonly View[],
  file: FileContext,
): View {
  const which = base === "BareOptions" ? "the smallest" : "a";
  return {
    doc: new Code(`/** Settings of ${which} client of this API. */\n`),
    name: identifier(name),
    heritage: heritage(name, named(file.runtimeType(base)), false),
    fields: [
      ...members,
      memberView({
        name: "parameters",
        type: named("CommonParameters"),
        doc: {
          description:
            "Common parameters for every call; a call's own ones win.",
        },
        isOptional: true,
        isReadonly: true,
        takesUndefined: true,
      }),
    ],
  };
}

/** The settings as the runtime takes them: with the credential in its place. */
function settingsCode(api: Api, file: FileContext): Code {
  const isUsual = hasUsualCredential(api);
  const isOther = methodsOf(api.root).some(
    (method) => method.hasOwnCredential && method.credential !== undefined,
  );
  if (isUsual && !isOther) return new Code("options");
  const put = file.runtimeValue("credentialed");
  if (isUsual) return new Code(`${put}(options)`);
  return new Code(`${put}(options, credential)`);
}

function hasUsualCredential({ credential }: Api): boolean {
  return credential === undefined || isBearer(credential);
}

/** The constant that says where the credential goes, unless it is a bearer token. */
function credentialView(api: Api, file: FileContext): View | undefined {
  if (hasUsualCredential(api)) return undefined;
  const rules = Object.entries(credentialRules(api.credential!)).flatMap(
    ([key, value]) =>
      value === undefined ? [] : [new Code(property(key, value, 2))],
  );
  return { type: new Code(file.runtimeType("CredentialRules")), rules };
}

/** What the runtime does by itself. */
function isBearer({ in: place, name, schemes }: Credential): boolean {
  return (
    place === "header" &&
    name.toLowerCase() === "authorization" &&
    schemes[0]?.toLowerCase() === "bearer"
  );
}

/** What the credential is, where the document says it. */
function authMember({ credential }: Api, file: FileContext): View[] {
  if (credential === undefined) return [];
  const isToken = credential.in === "query";
  const type = named(file.runtimeType(isToken ? "TokenSource" : "Auth"));
  const { description } = credential;
  return [
    memberView({
      name: "auth",
      type,
      doc: { description, notes: [credentialNote(credential)] },
      isOptional: true,
      isReadonly: true,
      takesUndefined: true,
    }),
  ];
}

/** The locations that the API has; those of other APIs are no option. */
function locationMember({ endpoints }: Api): View[] {
  const locations = [...new Set(endpoints.map(({ location }) => location))];
  if (locations.length === 0) return [];
  const options = locations.map((value): TypeTree => ({
    kind: "literal",
    value,
  }));
  const type: TypeTree =
    options.length === 1 ? options[0]! : { kind: "union", of: options };
  const description = "Location whose endpoint is called.";
  return [
    memberView({
      name: "location",
      type,
      doc: { description },
      isOptional: true,
      isReadonly: true,
      takesUndefined: true,
    }),
  ];
}
