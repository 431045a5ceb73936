import { requestIdParameter } from "../../model/infer/request-id.js";
import type { Method, Resource } from "../../model/ir.js";
import { NameScope, pascalCase, safeType } from "../../model/names.js";
import { Code } from "../../render/typescript/code.js";
import { docComment } from "../../render/typescript/doc-comment.js";
import type { Engine } from "../../render/engine.js";
import {
  constantHead,
  flat,
  generic,
  named,
  type TypeTree,
} from "../../render/typescript/types.js";
import { callParameters } from "./client-parameters.js";
import { bodyProperty, mediaProperty } from "./content-properties.js";
import { responseHeaders } from "./response-headers.js";
import type { ApiContext } from "../shared/api-context.js";
import type { OutputFile } from "../../platform/output-file.js";
import { moduleFile } from "../shared/module-file.js";
import { FileContext } from "../shared/file-context.js";
import { descriptorEntries } from "./descriptor.js";
import { methodNotes } from "../shared/doc-notes.js";
import { errorReader } from "./errors.js";
import { featuresOf } from "./features.js";
import {
  commonBase,
  keysType,
  parameterProperties,
  parametersView,
  replacedParameters,
  type ParametersInput,
  type ParametersViews,
} from "../shared/parameters.js";
import { methodAliases } from "./renamed-methods.js";
import { renamedParameters } from "./renamed-parameters.js";
import { renamedProperties } from "../shared/parameter-names.js";
import { typeOf, type TypeNames } from "../shared/types.js";
import { resultType } from "./result-type.js";
import type { ResourceMethodView } from "./views.js";

/** Data that all methods in a file share. */
interface ResourceFile {
  readonly context: ApiContext;
  readonly file: FileContext;
  readonly types: TypeNames;
}

/**
 * Prints the module of a resource, which contains a constant and a parameter
 * interface for each method.
 */
export function resourceFile(
  resource: Resource,
  path: string,
  context: ApiContext,
  engine: Engine,
): OutputFile {
  const constants = resource.methods.map((method) =>
    context.names.methods.get(method)!,
  );
  const scope = new NameScope([...constants, "Omit"]);
  const interfaces = constants.map((constant) =>
    scope.reserve(safeType(`${pascalCase(constant)}Parameters`)),
  );
  const file = new FileContext(context, scope, "../");
  const parts = { context, file, types: file.schemaTypes() };
  const methods = resource.methods.map((method, index) =>
    methodView(method, constants[index]!, interfaces[index]!, parts),
  );
  const { imports } = file;
  const aliases = methodAliases(resource, context.names);
  return moduleFile(
    { path, template: "client/resource", view: { methods, aliases }, imports },
    context,
    engine,
  );
}

function methodView(
  method: Method,
  constant: string,
  interfaceName: string,
  parts: ResourceFile,
): ResourceMethodView {
  const { context, file } = parts;
  const parameters = parametersOf(method, constant, interfaceName, parts);
  const headers = responseHeaders(method, constant, context, file);
  const items = method.paging?.items?.schema ?? method.links?.element;
  const itemType =
    items === undefined
      ? undefined
      : typeOf(items, "output", file.mentionedTypes());
  const kind = file.runtimeType(
    parameters.isRequired ? "Method" : "OptionalMethod",
  );
  const type = generic(
    kind,
    parametersType(parameters, file),
    callType(method, headers?.name, parts),
  );
  const make = file.runtimeValue("method");
  const { head, hugs } = constantForm(constant, type, make);
  return {
    enums: parameters.enums,
    parameters: parameters.view.isEmpty ? undefined : parameters.view,
    headers: headers?.view,
    doc: docComment(
      {
        description: method.description,
        notes: methodNotes(method, context.api.servicePath, itemType),
        deprecated: method.deprecated,
      },
      0,
    ),
    head,
    hugs,
    entries: descriptorEntries(
      {
        method,
        renamed: renamedParameters(method, context.api, context.names.common),
        file,
        errors: errorReader(method, context, file),
      },
      hugs ? 2 : 4,
    ),
  };
}

/**
 * Declaration of a method's constant up to the argument of the call that creates
 * it. `hugs` is true if the declaration ends with the opening brace.
 */
interface ConstantForm {
  readonly head: Code;
  readonly hugs: boolean;
}

/** @param make name of the function that creates the method */
function constantForm(
  constant: string,
  type: TypeTree,
  make: string,
): ConstantForm {
  const start = `/* @__PURE__ */ ${make}(`;
  const line = `export const ${constant}: ${flat(type)} = ${start}`;
  const hugs = line.length !== 80; // Prettier's last resort when only the brace does not fit
  return {
    head: constantHead(constant, type, hugs ? `${start}{` : start),
    hugs,
  };
}

function parametersOf(
  method: Method,
  constant: string,
  name: string,
  { context, file, types }: ResourceFile,
): ParametersViews {
  const { api, names, options } = context;
  const input: ParametersInput = {
    name,
    doc: new Code(`/** Parameters of {@link ${constant}}. */\n`),
    parameters: [...method.parameters, ...(method.headers ?? [])],
    credentialParameter: credentialParameter(method),
    requestIdParameter: requestIdParameter(method),
    renamed: renamedProperties(method.parameters),
    scope: file.scope,
    prefix: pascalCase(constant),
    names: types,
    trustProse: options.trustProse,
    isCall: true,
  };
  const properties = parameterProperties(input);
  const body = bodyProperty(method, types, (helper) =>
    file.runtimeType(helper),
  );
  const replaced = replacedParameters(method, callParameters(api)).map(
    ({ name: wire }) => names.common.get(wire) ?? wire,
  );
  const base = commonBase(commonParameters(file), "Omit", replaced);
  const media = mediaProperty(method, (helper) => file.runtimeType(helper));
  const bodies = [body, media].filter((property) => property !== undefined);
  return parametersView(input, [...properties, ...bodies], base);
}

/**
 * Returns the type of a call's parameters: the interface, a type derived from
 * it if `media` can replace required members, or the common parameters if the
 * method has no others.
 */
function parametersType(
  { name, view, orMedia }: ParametersViews,
  file: FileContext,
): TypeTree {
  if (view.isEmpty) return named(commonParameters(file));
  if (orMedia.length === 0) return named(name);
  return generic(file.runtimeType("OrMedia"), named(name), keysType(orMedia));
}

/** Imports the interface of the common parameters. */
function commonParameters(file: FileContext): string {
  return file.imports.type(file.sibling("service"), "CommonParameters");
}

/**
 * Returns the name of the query parameter that contains the credential, if any.
 */
function credentialParameter({ credential }: Method): string | undefined {
  return credential?.in === "query" ? credential.name : undefined;
}

/**
 * Returns the type of a method's calls, which depends on the result and on the
 * features of the method.
 */
function callType(
  method: Method,
  headers: string | undefined,
  { file, types }: ResourceFile,
): TypeTree {
  const result = resultType(method, types, file);
  const headersType = headers === undefined ? undefined : named(headers);
  const calls = featuresOf(method).flatMap((feature) =>
    feature.type === undefined
      ? []
      : [feature.type(method, result, file, types, headersType)],
  );
  if (calls.length === 0) return generic(file.runtimeType("Call"), result);
  return calls.length === 1 ? calls[0]! : { kind: "intersection", of: calls };
}
