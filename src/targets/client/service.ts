import type { Api, Method } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";
import { Code, identifier } from "../../render/typescript/code.js";
import { docComment } from "../../render/typescript/doc-comment.js";
import type { Engine } from "../../render/engine.js";
import type { Data } from "../../render/typescript/literals.js";
import {
  interfaceHead,
  named,
  type TypeTree,
} from "../../render/typescript/types.js";
import type { ApiContext } from "../shared/api-context.js";
import type { OutputFile } from "../../platform/output-file.js";
import { moduleFile } from "../shared/module-file.js";
import { COMMON_HEADERS } from "../shared/common-headers.js";
import { codeSpan } from "../shared/doc-notes.js";
import { entryLines, type Entries } from "../shared/entries.js";
import { factoryHead, FileContext } from "../shared/file-context.js";
import { callParameters, clientParameters } from "./client-parameters.js";
import { commonHeaders } from "./response-headers.js";
import { authMember, credentialView, settingsCode } from "./credential.js";
import {
  parameterProperties,
  parametersView,
  type ParametersInput,
  type ParametersViews,
} from "../shared/parameters.js";
import { memberView } from "../shared/members.js";
import type { InterfaceView, MemberView } from "../shared/views.js";

/**
 * Prints service.ts, which contains the API's URLs, the common parameters, the
 * client options, and the functions that create clients for calls of individual
 * methods.
 */
export function serviceFile(context: ApiContext, engine: Engine): OutputFile {
  const { api, names } = context;
  const optionsName = `${names.title}Options`;
  const bareName = `${names.title}BareOptions`;
  const scope = new NameScope([
    "service",
    "createClient",
    "createBareClient",
    "CommonParameters",
    "ClientParameters",
    COMMON_HEADERS,
    "credential",
    optionsName,
    bareName,
  ]);
  const file = new FileContext(context, scope, "./");
  const common = commonParameters(context, file);
  const ofClient = optionParameters(context, file);
  const client = file.runtimeType("Client");
  const create = factoryHead("createClient", "options", optionsName, client);
  const createBare = factoryHead(
    "createBareClient",
    "options",
    bareName,
    client,
  );
  const view = {
    doc: docComment(
      { description: serviceDoc(api), notes: serviceNotes(api) },
      0,
    ),
    Service: identifier(file.runtimeType("Service")),
    entries: serviceEntries(context, file),
    enums: [...common.enums, ...ofClient.enums],
    common: common.view,
    ofClient: ofClient.view,
    options: [
      optionsView(
        optionsName,
        "ClientOptions",
        [...authMember(api, file), ...locationMember(api)],
        file,
      ),
      optionsView(bareName, "BareOptions", authMember(api, file), file),
    ],
    create: identifier(file.runtimeValue("createClient")),
    settings: settingsCode(context, file),
    credential: credentialView(context, file),
    headers: commonHeaders(context),
    createBare: identifier(file.runtimeValue("createBareClient")),
    bareSignature: createBare,
    signature: create,
  };
  const { imports } = file;
  return moduleFile(
    { path: "service", template: "client/service", view, imports },
    context,
    engine,
  );
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

/**
 * Map from the name of an API to the maximum number of calls in a batch, for
 * APIs that document a limit below 100.
 */
const BATCH_SIZES: Readonly<Record<string, number>> = {
  __proto__: null as never,
  calendar: 50,
  gmail: 50,
};

function serviceEntries(
  { api, methods }: ApiContext,
  file: FileContext,
): Code[] {
  const use = (name: string): Code => new Code(file.runtimeValue(name));
  const entries: Entries = {
    rootUrl: api.rootUrl,
    servicePath: api.servicePath,
    batchPath: api.batchPath,
    batchSize: api.batchPath && BATCH_SIZES[api.name],
    mtlsRootUrl: hasStandardMtls(api) ? undefined : api.mtlsRootUrl,
    endpoints: endpointsOf(api),
    keepReserved: keepsReserved(api, methods) ? use("keepReserved") : undefined,
    wrap: api.features.includes("dataWrapper") ? use("dataWrapper") : undefined,
  };
  return entryLines(entries, 2);
}

/**
 * Tests whether the runtime derives the document's mTLS root URL from the root
 * URL.
 */
function hasStandardMtls({ rootUrl, mtlsRootUrl }: Api): boolean {
  const standard = rootUrl.replace(".googleapis.com/", ".mtls.googleapis.com/");
  return mtlsRootUrl === standard;
}

/**
 * Returns root URLs, keyed by location. If a location occurs more than once,
 * the first URL is used.
 */
function endpointsOf({ endpoints }: Api): Data | undefined {
  if (endpoints.length === 0) return undefined;
  const urls = new Map<string, string>();
  for (const { location, url } of endpoints)
    if (!urls.has(location)) urls.set(location, url);
  return Object.fromEntries(urls);
}

/**
 * Tests whether reserved characters in the values of `{+variable}` must be sent
 * unencoded.
 */
function keepsReserved(api: Api, methods: readonly Method[]): boolean {
  return !api.encodeReserved && methods.some(({ path }) => path.includes("{+"));
}

/** Returns the interface of the parameters that all methods accept. */
function commonParameters(
  context: ApiContext,
  file: FileContext,
): ParametersViews {
  const input = {
    ...sharedInput(context, file),
    name: "CommonParameters",
    doc: new Code("/** Parameters that all methods accept. */\n"),
    parameters: callParameters(context.api),
  };
  return parametersView(input, parameterProperties(input), undefined);
}

/** Returns the interface of the parameters in the options of a client. */
function optionParameters(
  context: ApiContext,
  file: FileContext,
): ParametersViews {
  const input = {
    ...sharedInput(context, file),
    name: "ClientParameters",
    doc: new Code("/** Parameters of all calls of a client. */\n"),
    parameters: clientParameters(context.api),
  };
  const base = named("CommonParameters");
  return parametersView(input, parameterProperties(input), base);
}

function sharedInput(
  { names, options }: ApiContext,
  file: FileContext,
): Omit<ParametersInput, "name" | "doc" | "parameters"> {
  return {
    renamed: names.common,
    scope: file.scope,
    prefix: "Common",
    names: file.schemaTypes(),
    trustProse: options.trustProse,
    isCall: true,
  };
}

function optionsView(
  name: string,
  base: "ClientOptions" | "BareOptions",
  members: readonly MemberView[],
  file: FileContext,
): InterfaceView {
  const which = base === "BareOptions" ? "a bare" : "a";
  return {
    doc: new Code(`/** Options of ${which} client of this API. */\n`),
    head: interfaceHead(name, {
      base: named(file.runtimeType(base)),
      isEmpty: false,
    }),
    isEmpty: false,
    fields: [
      ...members,
      memberView({
        name: "parameters",
        type: named("ClientParameters"),
        doc: {
          description:
            "Parameters of all calls. The parameters of a call take precedence.",
        },
        isOptional: true,
        isReadonly: true,
        acceptsUndefined: true,
      }),
    ],
  };
}

/**
 * Returns the `location` option of the client, whose type is a union of the
 * API's locations.
 */
function locationMember({ endpoints }: Api): MemberView[] {
  const locations = [...new Set(endpoints.map(({ location }) => location))];
  if (locations.length === 0) return [];
  const options = locations.map((value): TypeTree => ({
    kind: "literal",
    value,
  }));
  const type: TypeTree =
    options.length === 1 ? options[0]! : { kind: "union", of: options };
  const description = "Location whose endpoint receives the calls.";
  return [
    memberView({
      name: "location",
      type,
      doc: { description, notes: endpointNotes(endpoints) },
      isOptional: true,
      isReadonly: true,
      acceptsUndefined: true,
    }),
  ];
}

/**
 * Returns a list item for each location whose endpoint has a description or is
 * deprecated.
 */
function endpointNotes(endpoints: Api["endpoints"]): string[] {
  return endpoints.flatMap(({ location, description, deprecated }) => {
    const text = [
      deprecated === true ? "Deprecated." : "",
      description?.replace(/\s+/g, " ") ?? "",
    ]
      .filter((part) => part !== "")
      .join(" ");
    return text === "" ? [] : [`- ${codeSpan(location)}: ${text}`];
  });
}
