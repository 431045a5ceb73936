// Longer than other files: all names of an API are reserved in one order, which is read from top to bottom.

import {
  NameScope,
  apiTitle,
  camelCase,
  isIdentifier,
  pascalCase,
  safeType,
  safeVariable,
} from "../../model/names.js";
import type { Api, Definition, Method, Resource } from "../../model/ir.js";
import { methodsOf } from "../../model/queries.js";
import { nameMethods } from "./method-names.js";
import { renamedProperties } from "./parameters.js";
import type { Sink } from "../../diagnostics/sink.js";

/** Names of the language's library that schemas.ts itself prints. */
const USED_GLOBALS = ["Omit"];

/** A resource's file and the name of its module in client.ts. */
export interface ResourceNames {
  /** Path below the API's folder without suffix, e.g. `resources/projects.locations`. */
  readonly file: string;
  readonly variable: string;
}

/** All names of one API that more than one file prints, reserved once. */
export interface ApiNames {
  /** Folder below --out, e.g. `drive/v3`. */
  readonly folder: string;
  /** `Drive`, of which createDrive, DriveClient and DriveOptions are made. */
  readonly title: string;
  /** Type names by definition id, as results and as requests have them. */
  readonly types: ReadonlyMap<string, string>;
  readonly inputs: ReadonlyMap<string, string>;
  readonly schemaScope: NameScope;
  readonly resources: ReadonlyMap<Resource, ResourceNames>;
  /** Constants of methods in the file of their resource. */
  readonly methods: ReadonlyMap<Method, string>;
  /** Property by wire name of the common parameters, where they differ. */
  readonly common: ReadonlyMap<string, string>;
  /** Whether the client object has batch(): a member of its own may be called so. */
  readonly batches: boolean;
  /** Constant in scopes.ts by scope. */
  readonly scopes: ReadonlyMap<string, string>;
}

/** Allots the names of an API; reports each that differs from the document's. */
export function nameApi(
  api: Api,
  usedScopes: readonly string[],
  sink: Sink,
): ApiNames {
  const schemaScope = new NameScope(USED_GLOBALS);
  const types = nameTypes(api, schemaScope, sink);
  const inputs = new Map<string, string>();
  for (const { id, hasInputType } of api.definitions) {
    if (hasInputType === true)
      inputs.set(id, schemaScope.reserve(`${types.get(id)!}Input`));
  }
  const title = titleOf(api);
  const resources = nameResources(api.root, title, sink);
  return {
    folder: folderOf(api, sink),
    title,
    types,
    inputs,
    schemaScope,
    resources,
    methods: new Map(
      [...resources.keys()].flatMap((resource) => [
        ...nameMethods(resource, sink),
      ]),
    ),
    common: nameParameters(api, sink),
    scopes: nameScopes(usedScopes),
    batches: hasBatches(api, sink),
  };
}

/** Names of the API come before those of the runtime. */
function hasBatches(api: Api, sink: Sink): boolean {
  const { batchPath, root } = api;
  if (batchPath === undefined || methodsOf(root).length === 0) return false;
  const taken = [...root.methods, ...root.children].find(({ name }) =>
    /^batch(Settled)?$/.test(name),
  );
  if (taken !== undefined)
    sink.report(
      "name-changed",
      `client.${taken.name} is the API's own; batches are made by batch() of the runtime`,
      "/batchPath",
    );
  return taken === undefined;
}

/** Common parameters that are called otherwise; reports those of all that are. */
function nameParameters(api: Api, sink: Sink): ReadonlyMap<string, string> {
  const methods = methodsOf(api.root);
  const common = renamedProperties(api.parameters, () =>
    methods.flatMap(({ parameters }) => parameters.map(({ name }) => name)),
  );
  reportRenamed(common, "", sink);
  for (const { parameters, pointer } of methods)
    reportRenamed(renamedProperties(parameters), pointer, sink);
  return common;
}

function reportRenamed(
  names: ReadonlyMap<string, string>,
  pointer: string,
  sink: Sink,
): void {
  for (const [wire, property] of names)
    sink.report(
      "name-changed",
      `parameter ${wire} is the property ${property}`,
      `${pointer}/parameters/${wire}`,
    );
}

/** createClient is taken: it makes clients for flat functions. */
function titleOf(api: Api): string {
  const title = safeType(apiTitle(api));
  return title === "Client" ? "ClientApi" : title;
}

/** `drive/v3`; the folder runtime is taken. */
export function apiFolder({
  name,
  version,
}: Pick<Api, "name" | "version">): string {
  const top = pathSegment(name);
  return `${/^runtime$/i.test(top) ? `${top}_` : top}/${pathSegment(version)}`;
}

function folderOf(api: Api, sink: Sink): string {
  const { name, version } = api;
  const folder = apiFolder(api);
  if (folder !== `${name}/${version}`)
    sink.report("name-changed", `the API is in the folder ${folder}`, "/name");
  return folder;
}

/**
 * Schemas whose id is a free type name keep it, so that no other one takes it
 * from them; then the document's other schemas choose, then the inline ones.
 */
function nameTypes(
  api: Api,
  scope: NameScope,
  sink: Sink,
): Map<string, string> {
  const types = new Map<string, string>();
  const odd: Definition[] = [];
  const inline: Definition[] = [];
  for (const definition of api.definitions) {
    const { id } = definition;
    if (definition.inline !== undefined) inline.push(definition);
    else if (scope.has(id) || typeName(id) !== id) odd.push(definition);
    else types.set(id, scope.reserve(id));
  }
  for (const definition of odd) {
    const name = scope.reserve(typeName(definition.id));
    types.set(definition.id, name);
    if (name !== definition.id) reportChange(definition, name, sink);
  }
  for (const definition of inline) {
    const preferred = inlineName(definition, types);
    const name = scope.reserve(preferred);
    types.set(definition.id, name);
    if (name !== preferred) reportChange(definition, name, sink);
  }
  return types;
}

function reportChange(
  { id, pointer }: Definition,
  name: string,
  sink: Sink,
): void {
  sink.report(
    "name-changed",
    `schema ${JSON.stringify(id)} is called ${name}`,
    pointer,
  );
}

function typeName(id: string): string {
  return safeType(isIdentifier(id) ? id : pascalCase(id));
}

/** Owner and field; a method's id counts from behind the API's name. */
function inlineName(
  { inline }: Definition,
  types: ReadonlyMap<string, string>,
): string {
  const [api = "", ...names] = inline!.owner.split(".");
  const owner = types.get(inline!.owner) ?? pascalCase(names.join(".") || api);
  return safeType(owner + pascalCase(inline!.field).replace(/^_(?=\d)/, ""));
}

function nameResources(
  root: Resource,
  title: string,
  sink: Sink,
): Map<Resource, ResourceNames> {
  const resources = withMethods(root);
  const files = nameEach(resources, fileName, new NameScope([], true));
  const variables = nameEach(
    resources,
    ({ path }) => safeVariable(camelCase(path.join(".") || "api")),
    new NameScope([
      "client",
      "options",
      "createClient",
      "bind",
      "callable",
      `create${title}`,
      `${title}Client`,
      `${title}Options`,
    ]),
  );
  for (const resource of resources) {
    const path = resource.path.join(".");
    if (resource.path.length > 0 && files.get(resource) !== path)
      sink.report(
        "name-changed",
        `resource ${JSON.stringify(path)} is in the file ${files.get(resource)}`,
        resource.methods[0]!.pointer,
      );
  }
  return new Map(
    resources.map((resource) => [
      resource,
      {
        file: `resources/${files.get(resource)}`,
        variable: variables.get(resource)!,
      },
    ]),
  );
}

/** Resources that have methods of their own, each before those below it. */
function withMethods(resource: Resource): Resource[] {
  const below = resource.children.flatMap(withMethods);
  return resource.methods.length > 0 ? [resource, ...below] : below;
}

/** Names for all resources; the API itself and those that can be called like their path choose first. */
function nameEach(
  resources: readonly Resource[],
  preferred: (resource: Resource) => string,
  scope: NameScope,
): ReadonlyMap<Resource, string> {
  const names = new Map<Resource, string>();
  const odd: Resource[] = [];
  for (const resource of resources) {
    const name = preferred(resource);
    const isPlain =
      resource.path.length === 0 || name === resource.path.join(".");
    if (isPlain && !scope.has(name)) names.set(resource, scope.reserve(name));
    else odd.push(resource);
  }
  for (const resource of odd)
    names.set(resource, scope.reserve(preferred(resource)));
  return names;
}

/** Many file systems take names of up to 255 bytes. */
function fileName({ path }: Resource): string {
  return path.map(pathSegment).join(".").slice(0, 200) || "_api";
}

/** Names that no file may have on some file systems. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** A name as one segment of a path: nothing that moves, hides or names a device. */
export function pathSegment(name: string): string {
  const safe = name
    .replace(/[^A-Za-z0-9._-]/g, "_")
    .replace(/^[.-]+/, "_")
    .slice(0, 100)
    .replace(/\.+$/, "");
  return safe === "" || DEVICE.test(safe.split(".")[0]!) ? `_${safe}` : safe;
}

/** `https://…/auth/drive.readonly` is called driveReadonly. */
function nameScopes(scopes: readonly string[]): Map<string, string> {
  const scope = new NameScope(["scopesFor", "scopeSets"]);
  return new Map(
    scopes.map((name) => {
      const words = scopeTail(name).replace(/[^A-Za-z0-9]+/g, " ");
      return [name, scope.reserve(safeVariable(camelCase(words)))];
    }),
  );
}

/** What tells a scope from others: behind `/auth/`, else its path, else its host. */
function scopeTail(scope: string): string {
  const at = scope.indexOf("/auth/");
  if (at >= 0 && at + 6 < scope.length) return scope.slice(at + 6);
  if (!/^https?:\/\//.test(scope)) return scope;
  const rest = scope.slice(scope.indexOf("/") + 2);
  const [host] = rest.split("/", 1);
  return rest.slice(host!.length + 1) || host || scope;
}
