import type { Client, Descriptor } from "./contract.js";
import { method } from "./method.js";

/**
 * Binds the methods of an API to a client. A table has one line for each
 * resource or method, because descriptors of all methods are the largest part
 * of a bundle:
 *
 *     files
 *     get GET files/{fileId} 0
 *
 * A line with one word is the path of a resource, which the following methods
 * belong to; methods before the first such line belong to the API itself. Other
 * lines have the name, HTTP method and path of a method, and the positions of
 * further parts of its descriptor. In paths, a segment `*` is the name of the
 * resource, and a segment or verb `.` the name of the method; a variable that
 * begins with `*` begins with the {@link singularOf} the resource. A path that
 * begins with a number has this many segments of the path of the line before, at
 * most as many as there are. Callers declare the type of the result.
 *
 * @param prefix beginning of the ids of all methods, such as `drive.`.
 */
export function bindTable(
  client: Client,
  prefix: string,
  table: string,
  parts: readonly Partial<Descriptor>[] = [],
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
): any {
  const nodes = new Map<string, object>([["", {}]]);
  // Defines own properties, including `__proto__`, and `name` of functions.
  const define = (path: string, value: object) => {
    const dot = path.lastIndexOf(".");
    const parent = nodes.get(path.slice(0, Math.max(dot, 0)))!;
    nodes.set(path, value);
    Object.defineProperty(parent, path.slice(dot + 1), {
      value,
      enumerable: true,
      configurable: true,
    });
  };
  let resource = "";
  let template = "";
  for (const line of table.trim().split("\n")) {
    const [name, verb, path, ...positions] = line.split(" ");
    if (!verb) {
      resource = name!;
      if (!nodes.has(resource)) define(resource, {});
      continue;
    }
    template = path!.replace(/^\d+/, (kept) =>
      template.split("/", kept as never).join("/"),
    );
    const id = resource && `${resource}.`;
    const leaf = resource.slice(resource.lastIndexOf(".") + 1);
    const descriptor: Descriptor = Object.assign(
      {
        id: prefix + id + name,
        verb,
        path: template.replace(
          /\{\*|(^|[/:])([*.])(?![^/:])/g,
          (_, before: string, key?: string) =>
            !key
              ? `{${singularOf(leaf)}`
              : before + (key === "." ? name : leaf),
        ),
      },
      ...positions.map((position) => parts[+position]),
    );
    const call = method(descriptor).bind(null, client);
    define(
      id + name,
      Object.defineProperty(call, "descriptor", {
        value: descriptor,
        configurable: true,
      }),
    );
  }
  return nodes.get("");
}

/** Returns the name of one element of a resource, such as `file` of `files`. */
export function singularOf(resource: string): string {
  return resource.replace(/(ss|x)es$|s$/, "$1").replace(/ie$/, "y");
}
