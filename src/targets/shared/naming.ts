import type { Sink } from "../../diagnostics/sink.js";
import type { Api, Method, Resource } from "../../model/ir.js";
import { methodsOf } from "../../model/queries.js";
import { apiTitle, safeType } from "../../model/names.js";
import { apiFolder } from "./api-folder.js";
import { nameMethods } from "./method-names.js";
import { nameCommonParameters } from "./parameter-names.js";
import { nameResources, type ResourceNames } from "./resource-names.js";
import { nameScopes } from "./scope-names.js";
import { nameDefinitions, type DefinitionNames } from "./type-names.js";
import { nameValidators, type ValidatorNames } from "./validator-names.js";

/**
 * Identifiers of an API that occur in more than one generated file. Each
 * identifier is reserved once.
 */
export interface ApiNames extends DefinitionNames {
  /** Folder relative to `--out`, such as `drive/v3`. */
  readonly folder: string;
  /**
   * Name of the API as part of other names, such as `Drive` in createDrive,
   * DriveClient and DriveOptions.
   */
  readonly title: string;
  readonly resources: ReadonlyMap<Resource, ResourceNames>;
  /**
   * Name of each method's constant, which is unique in the file of its
   * resource.
   */
  readonly methods: ReadonlyMap<Method, string>;
  /**
   * Property name by name in requests, for common parameters with a different
   * property name.
   */
  readonly common: ReadonlyMap<string, string>;
  /**
   * True if the client object has batch(), false if the API itself has a member
   * of this name.
   */
  readonly batches: boolean;
  /**
   * Name of the constant in scopes.ts by scope, in the order in which files
   * list scopes.
   */
  readonly scopes: ReadonlyMap<string, string>;
  /** Names of the functions in validators.ts. */
  readonly validators: ValidatorNames;
}

/**
 * Reserves the names of an API. Reports each name that differs from that in the
 * document.
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
    // The names are computed on demand, because a client without validators
    // does not need them.
    get validators() {
      return (validators ??= nameValidators(api, definitions.types));
    },
  };
}

/**
 * Tests whether the client object has the runtime's batch methods. Members of
 * the API with the same name take precedence.
 */
function hasBatches(
  { batchPath, root }: Api,
  methods: readonly Method[],
  sink: Sink,
): boolean {
  if (batchPath === undefined || methods.length === 0) return false;
  const member = [...root.methods, ...root.children].find(({ name }) =>
    /^batch(Settled)?$/.test(name),
  );
  if (member !== undefined)
    sink.report(
      "name-changed",
      `the API declares client.${member.name}, so the client has no batch methods; create batches with batch() of the runtime`,
      "/batchPath",
    );
  return member === undefined;
}

/**
 * Returns the title of an API. The title `Client` is replaced, because
 * createClient is already the function that creates clients for single methods.
 */
function titleOf(api: Api): string {
  const title = safeType(apiTitle(api));
  return title === "Client" ? "ClientApi" : title;
}

function folderOf(api: Api, sink: Sink): string {
  const { name, version } = api;
  const folder = apiFolder(api);
  if (folder !== `${name}/${version}`)
    sink.report("name-changed", `the API is in the folder ${folder}`, "/name");
  return folder;
}
