import type { Sink } from "../../diagnostics/sink.js";
import type { Method, Resource } from "../../model/ir.js";
import {
  NameScope,
  camelCase,
  pascalCase,
  safeType,
  safeVariable,
} from "../../model/names.js";
import { pathSegment } from "./api-folder.js";

/** Names of a resource that has methods. */
export interface ResourceNames {
  /**
   * Path relative to the API's folder, without file extension, such as
   * `resources/projects.locations`.
   */
  readonly file: string;
  /** Name of the variable in client.ts that refers to the resource's module. */
  readonly variable: string;
  /**
   * Name of the resource's interface in client.ts, such as `FilesResource`;
   * undefined for the root resource, which is the client.
   */
  readonly type: string | undefined;
}

/**
 * Returns the prefix of the names of a method's types, such as `FilesCreate`
 * for drive.files.create.
 */
export function methodWords({ path }: Resource, { name }: Method): string {
  return pascalCase([...path, name].join("."));
}

/**
 * Reserves file, variable and type names for the resources that have methods.
 * Reports file names that had to be changed.
 */
export function nameResources(
  root: Resource,
  title: string,
  sink: Sink,
): Map<Resource, ResourceNames> {
  const resources = withMethods(root);
  const files = nameEach(resources, fileName, new NameScope([], true));
  const scope = new NameScope([
    "client",
    "options",
    "createClient",
    "bind",
    "callable",
    `create${title}`,
    `${title}Client`,
    `${title}Options`,
  ]);
  const variables = nameEach(
    resources,
    ({ path }) => safeVariable(camelCase(path.join(".") || "api")),
    scope,
  );
  const types = nameEach(
    resources.filter(({ path }) => path.length > 0),
    ({ path }) => safeType(`${pascalCase(path.join("."))}Resource`),
    scope,
  );
  for (const resource of resources) {
    const path = resource.path.join(".");
    if (resource.path.length > 0 && files.get(resource) !== path)
      sink.report(
        "name-changed",
        `resource ${JSON.stringify(path)} is generated into the file ${files.get(resource)}`,
        resource.methods[0]!.pointer,
      );
  }
  return new Map(
    resources.map((resource) => [
      resource,
      {
        file: `resources/${files.get(resource)}`,
        variable: variables.get(resource)!,
        type: types.get(resource),
      },
    ]),
  );
}

/** Returns the resources that have methods. Parents precede their children. */
function withMethods(resource: Resource): Resource[] {
  const below = resource.children.flatMap(withMethods);
  return resource.methods.length > 0 ? [resource, ...below] : below;
}

/**
 * Reserves a name for each resource. The root resource, and resources whose
 * dotted path is a valid name, get their names first.
 */
function nameEach(
  resources: readonly Resource[],
  preferred: (resource: Resource) => string,
  scope: NameScope,
): ReadonlyMap<Resource, string> {
  const names = new Map<Resource, string>();
  const others: Resource[] = [];
  for (const resource of resources) {
    const name = preferred(resource);
    const isPlain =
      resource.path.length === 0 || name === resource.path.join(".");
    if (isPlain && !scope.has(name)) names.set(resource, scope.reserve(name));
    else others.push(resource);
  }
  for (const resource of others)
    names.set(resource, scope.reserve(preferred(resource)));
  return names;
}

/**
 * Returns the file name of a resource. A long name is truncated, because many
 * file systems limit names to 255 bytes.
 */
function fileName({ path }: Resource): string {
  return path.map(pathSegment).join(".").slice(0, 200) || "_api";
}
