/** Loaders of the runtimes' sources; a run loads only those that it copies. */
const RUNTIMES: Readonly<
  Record<string, () => Promise<{ default: Readonly<Record<string, string>> }>>
> = {
  client: () => import("#built/runtime-client.js"),
  conformance: () => import("#built/runtime-conformance.js"),
  server: () => import("#built/runtime-server.js"),
  validator: () => import("#built/runtime-validator.js"),
};

/** Returns the sources of a runtime by path; empty for an unknown name. */
export async function runtimeSources(
  name: string,
): Promise<Readonly<Record<string, string>>> {
  return (await RUNTIMES[name]?.())?.default ?? {};
}
