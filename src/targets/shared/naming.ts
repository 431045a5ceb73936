import type { Sink } from "../../diagnostics/sink.js";
import type { Api, Method, Resource } from "../../model/ir.js";
import {
  apiTitle,
  camelCase,
  NameScope,
  safeType,
  safeVariable,
} from "../../model/names.js";
import { methodsOf } from "../../model/queries.js";
import { apiFolder } from "./api-folder.js";
import { nameMethods } from "./method-names.js";
import { nameCommonParameters } from "./parameter-names.js";
import { nameResources, type ResourceNames } from "./resource-names.js";
import { type DefinitionNames, nameDefinitions } from "./type-names.js";
import { nameValidators, type ValidatorNames } from "./validator-names.js";

/**
 * Identifiers of an API that occur in more than one generated file. They are
 * reserved only once.
 */
export interface ApiNames extends DefinitionNames {
  /** Folder of the API, relative to `--out`, such as `drive/v3`. */
  readonly folder: string;
  /**
   * Name of the API for use in identifiers, such as `Drive` in createDrive,
   * DriveClient and DriveOptions.
   */
  readonly title: string;
  readonly resources: ReadonlyMap<Resource, ResourceNames>;
  /**
   * Map from method to the name of its constant, which is unique in the file of
   * the method's resource.
   */
  readonly methods: ReadonlyMap<Method, string>;
  /**
   * Map from the name of a common parameter in requests to its property name,
   * for parameters whose property name differs.
   */
  readonly common: ReadonlyMap<string, string>;
  /**
   * True if the client object has a `batch()` method; false if a method or
   * resource of the API has the same name.
   */
  readonly batches: boolean;
  /**
   * True if the client object has a `with()` method; false if a method or
   * resource of the API has this name, or if the API has no methods.
   */
  readonly derivable: boolean;
  /**
   * Map from scope to the name of its constant in scopes.ts, in the order in
   * which generated files list scopes.
   */
  readonly scopes: ReadonlyMap<string, string>;
  /** Names of the functions in validators.ts. */
  readonly validators: ValidatorNames;
}

/**
 * Reserves the names of an API. Reports each name that differs from the name in
 * the document.
 */
export function nameApi(api: Api, sink: Sink): ApiNames {
  const methods = methodsOf(api.root);
  const definitions = nameDefinitions(api, sink);
  const title = titleOf(api);
  const resources = nameResources(api.root, title, sink);
  let validators: ValidatorNames | undefined;
  return {
    folder: folderOf(api, sink),
    title,
    ...definitions,
    resources,
    methods: new Map(
      [...resources.keys()].flatMap((resource) => [
        ...nameMethods(resource, sink),
      ]),
    ),
    common: nameCommonParameters(api, methods, sink),
    scopes: nameScopes(api, methods),
    batches: hasBatches(api, methods, sink),
    derivable: isDerivable(api, methods, sink),
    // The names are computed on demand, because a client without validators
    // does not need them.
    get validators() {
      return (validators ??= nameValidators(api, definitions.types));
    },
  };
}

/**
 * Tests whether the client object has the runtime's batch methods. It does not
 * have them if a method or resource of the API has the same name.
 */
function hasBatches(
  { batchPath, root }: Api,
  methods: readonly Method[],
  sink: Sink,
): boolean {
  if (batchPath === undefined || methods.length === 0) return false;
  const name = declaredMember(root, ["batch", "batchSettled"]);
  if (name !== undefined)
    sink.report(
      "name-changed",
      `the API declares client.${name}, so the client has no batch methods; create batches with the runtime's batch()`,
      "/batchPath",
    );
  return name === undefined;
}

/**
 * Tests whether the client object has the method `with()`, which derives
 * clients. It does not have it if a method or resource of the API has this name.
 */
function isDerivable(
  { root }: Api,
  methods: readonly Method[],
  sink: Sink,
): boolean {
  if (methods.length === 0) return false;
  const name = declaredMember(root, ["with"]);
  if (name !== undefined)
    sink.report(
      "name-changed",
      "the API declares client.with, so the client has no method that derives clients; create a client with other options",
      "",
    );
  return name === undefined;
}

/** Returns the first of the names that a root method or resource has. */
function declaredMember(
  { methods, children }: Resource,
  names: readonly string[],
): string | undefined {
  return [...methods, ...children].find(({ name }) => names.includes(name))
    ?.name;
}

/**
 * Returns the name of the API for use in identifiers. The name `Client` is
 * replaced, because createClient is already the function that creates clients
 * for calls of individual methods.
 */
function titleOf(api: Api): string {
  const title = safeType(apiTitle(api));
  return title === "Client" ? "ClientApi" : title;
}

function folderOf(api: Api, sink: Sink): string {
  const { name, version } = api;
  const folder = apiFolder(api);
  if (folder !== `${name}/${version}`)
    sink.report(
      "name-changed",
      `the API is generated into the folder ${folder}`,
      "/name",
    );
  return folder;
}

/**
 * Returns a map from scope to the name of its constant in scopes.ts: first the
 * scopes that the API declares, then scopes that are listed only by methods.
 */
function nameScopes(api: Api, methods: readonly Method[]): Map<string, string> {
  const declared = api.scopes.map(({ name }) => name);
  const listed = methods.flatMap(({ scopes }) => scopes);
  const reserved = new NameScope(["scopesFor", "scopeSets"]);
  const constants = new Map<string, string>();
  for (const scope of [...declared, ...listed])
    if (!constants.has(scope))
      constants.set(scope, reserved.reserve(constantName(scope)));
  return constants;
}

/**
 * Converts a scope to a variable name: `https://…/auth/drive.readonly` becomes
 * driveReadonly.
 */
function constantName(scope: string): string {
  const words = distinctivePart(scope).replace(/[^A-Za-z0-9]+/g, " ");
  return safeVariable(camelCase(words));
}

/**
 * Returns the part of a scope after `/auth/`. If there is none, returns the
 * path of the scope's URL; if the path is empty, the host. A scope that is not
 * a URL is returned unchanged.
 */
function distinctivePart(scope: string): string {
  const at = scope.indexOf("/auth/");
  if (at >= 0 && at + 6 < scope.length) return scope.slice(at + 6);
  if (!/^https?:\/\//.test(scope)) return scope;
  const rest = scope.slice(scope.indexOf("/") + 2);
  const [host] = rest.split("/", 1);
  return rest.slice(host!.length + 1) || host || scope;
}
