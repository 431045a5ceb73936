type Loaders = Readonly<
  Record<string, () => Promise<{ default: Readonly<Record<string, string>> }>>
>;

/**
 * Functions that import the source files of a runtime, keyed by the name of the
 * runtime. Only the runtimes that are copied to the output are imported.
 */
const RUNTIMES: Loaders = {
  auth: () => import("#built/runtime-auth.js"),
  client: () => import("#built/runtime-client.js"),
  conformance: () => import("#built/runtime-conformance.js"),
  server: () => import("#built/runtime-server.js"),
  validator: () => import("#built/runtime-validator.js"),
};

/**
 * Returns the source files of a runtime, keyed by path; an empty object if the
 * runtime is unknown.
 */
export async function runtimeSources(
  name: string,
): Promise<Readonly<Record<string, string>>> {
  return (await RUNTIMES[name]?.())?.default ?? {};
}
