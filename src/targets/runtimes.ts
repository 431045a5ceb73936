/**
 * Functions that import the source files of runtimes. A run imports only the
 * runtimes that it copies.
 */
const RUNTIMES: Readonly<
  Record<string, () => Promise<{ default: Readonly<Record<string, string>> }>>
> = {
  client: () => import("#built/runtime-client.js"),
  conformance: () => import("#built/runtime-conformance.js"),
  server: () => import("#built/runtime-server.js"),
  validator: () => import("#built/runtime-validator.js"),
};

/**
 * Returns the source files of a runtime by path; an empty object for an unknown
 * runtime.
 */
export async function runtimeSources(
  name: string,
): Promise<Readonly<Record<string, string>>> {
  return (await RUNTIMES[name]?.())?.default ?? {};
}
