/* eslint-disable */
// biome-ignore-all lint: generated

import { createCall } from "./call.js";
import type { Client, Descriptor } from "./contract.js";
import type { CallOptions } from "./options.js";

/**
 * Binds the methods of an API to a client. The methods are described by a table
 * in a string, because separate descriptor objects would be the largest part of
 * a bundle. The table has one line for each resource or method:
 *
 *     files
 *     get GET files/{fileId} 0
 *
 * A line of up to two words is a resource: its name, and the path of its parent
 * followed by a dot, as in `locations projects.`. The methods in the following
 * lines belong to this resource; methods before the first such line belong to
 * the API itself. The line of a method contains the name, HTTP method and path
 * of the method, then indexes of elements of `parts`. The properties of these
 * elements are added to the method's descriptor. In a path, a segment `*` means
 * the name of the resource. A segment or verb `.` means the name of the method.
 * A variable `{*Id}` means the {@link singularOf singular} of the resource's
 * name, followed by `Id`. A path that begins with a number starts with this
 * number of segments from the path in the preceding line. The caller declares
 * the type of the returned object.
 *
 * @param prefix beginning of the IDs of all methods, such as `drive.`.
 */
export function bindTable(
  client: Client,
  prefix: string,
  table: string,
  parts: readonly Partial<Descriptor>[] = [],
  // oxlint-disable-next-line typescript/no-explicit-any -- callers set the type
): any {
  // The API, its resources and methods, keyed by their paths with a final dot.
  const nodes = new Map<string, object>([["", {}]]);
  // `defineProperty` is used because a member can be named `__proto__`, or
  // `name`, which is a read-only property of functions.
  const define = (parent: string, name: string, value: object) => {
    Object.defineProperty(nodes.get(parent)!, name, {
      value,
      enumerable: true,
      configurable: true,
    });
    nodes.set(`${parent}${name}.`, value);
  };
  let resource = "";
  let leaf = "";
  let template = "";
  for (const line of table.trim().split("\n")) {
    const [name = "", verb = "", path, ...positions] = line.split(" ");
    if (!path) {
      leaf = name;
      resource = `${verb}${name}.`;
      if (!nodes.has(resource)) define(verb, name, {});
      continue;
    }
    template = path.replace(/^\d+/, (kept) =>
      template.split("/", kept as never).join("/"),
    );
    const descriptor: Descriptor = Object.assign(
      {
        id: prefix + resource + name,
        verb,
        path: template.replace(
          /\{\*|(^|[/:])([*.])(?![^/:])/g,
          (_, before: string, key?: string) =>
            !key
              ? `{${singularOf(leaf)}`
              : before + (key === "." ? name : leaf),
        ),
      },
      ...positions.map((position) => parts[position as never]),
    );
    const call = (parameters?: object, options: CallOptions = {}) =>
      createCall({
        client,
        descriptor,
        parameters: { ...parameters },
        options,
      });
    define(
      resource,
      name,
      Object.defineProperty(call, "descriptor", {
        value: descriptor,
        configurable: true,
      }),
    );
  }
  return nodes.get("");
}

/** Returns the singular of a resource name, such as `file` for `files`. */
export function singularOf(resource: string): string {
  return resource.replace(/(ss|x)es$|s$/, "$1").replace(/ie$/, "y");
}
