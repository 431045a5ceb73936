import type { Emit } from "../render/typescript/signature.js";

type Loaders = Readonly<
  Record<string, () => Promise<{ default: Readonly<Record<string, string>> }>>
>;

/**
 * Functions that import the source files of runtimes. A run imports only the
 * runtimes that it copies.
 */
const RUNTIMES: Loaders = {
  client: () => import("#built/runtime-client.js"),
  conformance: () => import("#built/runtime-conformance.js"),
  server: () => import("#built/runtime-server.js"),
  validator: () => import("#built/runtime-validator.js"),
};

/** Functions that load the JavaScript and the declarations of runtimes. */
const JAVASCRIPT: Loaders = {
  client: () => import("#built/javascript-client.js"),
  conformance: () => import("#built/javascript-conformance.js"),
  server: () => import("#built/javascript-server.js"),
  validator: () => import("#built/javascript-validator.js"),
};

/**
 * Returns the source files of a runtime by path; an empty object for an unknown
 * runtime.
 */
export async function runtimeSources(
  name: string,
  emit: Emit,
): Promise<Readonly<Record<string, string>>> {
  const loaders = emit === "js" ? JAVASCRIPT : RUNTIMES;
  return (await loaders[name]?.())?.default ?? {};
}
