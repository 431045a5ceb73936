import type { Api } from "../../model/ir.js";

/** Returns an API's folder below the output, e.g. `drive/v3`; `runtime` is reserved. */
export function apiFolder({
  name,
  version,
}: Pick<Api, "name" | "version">): string {
  const top = pathSegment(name);
  return `${/^runtime$/i.test(top) ? `${top}_` : top}/${pathSegment(version)}`;
}

/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** Returns a name as one path segment: not hidden, not relative, not a device, at most 101 characters. */
export function pathSegment(name: string): string {
  const safe = name
    .replace(/[^A-Za-z0-9._-]/g, "_")
    .replace(/^[.-]+/, "_")
    .slice(0, 100)
    .replace(/\.+$/, "");
  return safe === "" || DEVICE.test(safe.split(".")[0]!) ? `_${safe}` : safe;
}
