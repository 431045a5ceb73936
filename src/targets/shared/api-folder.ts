import type { Api } from "../../model/ir.js";

/**
 * Returns the folder of an API, relative to the output folder, such as
 * `drive/v3`. The name `runtime` is reserved.
 */
export function apiFolder({
  name,
  version,
}: Pick<Api, "name" | "version">): string {
  const top = pathSegment(name);
  return `${/^runtime$/i.test(top) ? `${top}_` : top}/${pathSegment(version)}`;
}

/**
 * Pattern that matches Windows device names, which are reserved with any
 * extension.
 */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * Converts a name to a valid path segment that does not start with a dot, is
 * not a Windows device name, and has at most 101 characters.
 */
export function pathSegment(name: string): string {
  const safe = name
    .replace(/[^A-Za-z0-9._-]/g, "_")
    .replace(/^[.-]+/, "_")
    .slice(0, 100)
    .replace(/\.+$/, "");
  return safe === "" || DEVICE.test(safe.split(".")[0]!) ? `_${safe}` : safe;
}
