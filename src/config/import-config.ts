import { statSync } from "node:fs";
import * as nodeModule from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { MissingPackageError } from "../platform/optional-package.js";
import { ConfigFileError } from "./loaded-config.js";

/**
 * Executes a config in JavaScript or TypeScript and returns its default export.
 * A file that changed since the last call is executed again, but the modules
 * that it imports are not. Throws ConfigFileError if the config can't be
 * executed or has no default export.
 */
export async function importConfig(file: string): Promise<unknown> {
  try {
    if (/\.m?ts$/.test(file)) await enableTypeScript(file);
    const url = pathToFileURL(file);
    url.search = `?${statSync(file).mtimeMs}`;
    const module = (await import(url.href)) as Record<string, unknown>;
    if (!("default" in module))
      throw new ConfigFileError("the config must have a default export");
    return await module["default"];
  } catch (error) {
    if (error instanceof MissingPackageError) throw error;
    if (error instanceof ConfigFileError) throw error;
    throw failureOf(error, pathToFileURL(file).href);
  }
}

/**
 * Converts an error to a ConfigFileError with the first line of the message and
 * the position in the config.
 */
function failureOf(error: unknown, url: string): ConfigFileError {
  if (!(error instanceof Error)) return new ConfigFileError(String(error));
  const { name, message, stack = "" } = error;
  const [, rest = ""] = stack.split(url, 2);
  const match = /^(?:\?[\d.]+)?:(\d+):(\d+)/.exec(rest);
  return new ConfigFileError(
    `${name}: ${message.split("\n")[0]}`,
    match === null
      ? undefined
      : { line: Number(match[1]), column: Number(match[2]) },
  );
}

/**
 * Enables imports of TypeScript files. Node.js 22.18 and later support them
 * without a package.
 */
async function enableTypeScript(file: string): Promise<void> {
  const { features } = process as unknown as {
    readonly features: { readonly typescript?: string | false };
  };
  if ((features.typescript ?? false) !== false) return;
  registerTypeScript(path.dirname(file));
}

/** Module that can strip the types from TypeScript code. */
interface Transformer {
  readonly kind: "node" | "esbuild" | "typescript";
  /** URL of the module; empty for Node.js, which has a built-in function. */
  readonly url: string;
}

/**
 * Source code of module hooks, which run in another thread and can't import
 * modules of this package. The hooks strip types from TypeScript files outside
 * of node_modules.
 */
const HOOKS = `
let transform;
const removers = {
  node: async () => {
    const { stripTypeScriptTypes } = await import("node:module");
    return (text) => stripTypeScriptTypes(text);
  },
  esbuild: async (url) => {
    const { default: esbuild } = await import(url);
    return async (text, sourcefile) =>
      (await esbuild.transform(text, { loader: "ts", format: "esm", target: "node20", sourcefile })).code;
  },
  typescript: async (url) => {
    const { default: ts } = await import(url);
    const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
    return (text) => ts.transpileModule(text, { compilerOptions }).outputText;
  },
};
export const initialize = async ({ kind, url }) => (transform = await removers[kind](url));
export const load = async (url, context, next) => {
  const { protocol, pathname } = new URL(url);
  if (protocol !== "file:" || !/\\.m?ts$/.test(pathname) || pathname.includes("/node_modules/"))
    return next(url, context);
  const { readFile } = await import("node:fs/promises");
  const text = await readFile(new URL(pathname, "file:"), "utf8");
  return { format: "module", shortCircuit: true, source: await transform(text, pathname) };
};`;

let isRegistered = false;

/**
 * Enables this process to import TypeScript modules. Node.js removes the types
 * if it supports this; otherwise the project's esbuild or TypeScript does.
 * Throws MissingPackageError if none of them is available.
 * @param folder folder of the config, from which the packages are resolved
 */
function registerTypeScript(folder: string): void {
  if (isRegistered) return;
  const data = findTransformer(folder);
  const hooks = `data:text/javascript,${encodeURIComponent(HOOKS)}`;
  nodeModule.register(hooks, { data });
  isRegistered = true;
}

function findTransformer(folder: string): Transformer {
  if ("stripTypeScriptTypes" in nodeModule) return { kind: "node", url: "" };
  const require = nodeModule.createRequire(path.join(folder, "index.js"));
  for (const kind of ["esbuild", "typescript"] as const) {
    try {
      const file = require.resolve(kind);
      // TypeScript 7 can't be used, because it has no function that transpiles
      // a module.
      if (kind === "typescript" && !hasTranspiler(require(kind))) continue;
      return { kind, url: pathToFileURL(file).href };
    } catch {
      // This package is not installed, so the next package in the list is
      // tried.
    }
  }
  throw new MissingPackageError(
    "esbuild",
    "a config in TypeScript with Node.js before version 22.18",
  );
}

function hasTranspiler(typescript: unknown): boolean {
  return typeof Object(typescript).transpileModule === "function";
}
