/** The runtimes that output can need, each loaded when it is. */
const RUNTIMES: Readonly<
  Record<string, () => Promise<{ default: Readonly<Record<string, string>> }>>
> = {
  client: () => import("#built/runtime-client.js"),
  conformance: () => import("#built/runtime-conformance.js"),
  server: () => import("#built/runtime-server.js"),
  validator: () => import("#built/runtime-validator.js"),
};

/** Sources of a runtime, by path. */
export async function runtimeSources(
  name: string,
): Promise<Readonly<Record<string, string>>> {
  return (await RUNTIMES[name]?.())?.default ?? {};
}
