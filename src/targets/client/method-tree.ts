import type { Method, Resource } from "../../model/ir.js";
import type { Data } from "../../render/typescript/literals.js";
import type { ApiContext } from "../shared/api-context.js";
import type { FileContext } from "../shared/file-context.js";
import { descriptorParts } from "./descriptor.js";
import { errorReader } from "./errors.js";
import { renamedParameters } from "./renamed-parameters.js";

/** Returns the common prefix of the method ids, such as `drive.`. */
export function idPrefix({ api }: Pick<ApiContext, "api">): string {
  return `${api.name}.`;
}

/**
 * Returns the tree of an API's resources and methods, which the client runtime
 * binds to a client. Each method has an entry that does not depend on other
 * methods, so that a change of a method changes only its own lines.
 */
export function methodTree(
  resource: Resource,
  context: ApiContext,
  file: FileContext,
): Data {
  const { methods, children } = resource;
  const members = new Map(
    children.map((child) => [child.name, methodTree(child, context, file)]),
  );
  const entries = methods.map((method): readonly [string, Data] => [
    method.name,
    methodEntry(method, resource, members.get(method.name), context, file),
  ]);
  const others = [...members].filter(([name]) =>
    methods.every((method) => method.name !== name),
  );
  // Object.fromEntries also defines `__proto__` as an own property.
  return Object.fromEntries([...entries, ...others]);
}

/**
 * Returns the entry of a method: HTTP method, path, an object with other
 * properties, features. The object contains the members of a resource that has
 * the name of the method.
 */
function methodEntry(
  method: Method,
  { path: names }: Resource,
  members: Data | undefined,
  context: ApiContext,
  file: FileContext,
): Data {
  const { id, path, use, ...rest } = descriptorParts({
    method,
    renamed: renamedParameters(method, context.api, context.names.common),
    file,
    errors: errorReader(method, context, file),
  });
  const standardId = idPrefix(context) + [...names, method.name].join(".");
  const properties = {
    id: id === standardId ? undefined : id,
    ...rest,
    members,
  };
  const isPlain = Object.values(properties).every((value) => !value);
  return [
    method.httpMethod,
    path,
    ...(isPlain ? [] : [properties]),
    ...(use ?? []),
  ];
}
