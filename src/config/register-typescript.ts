import * as nodeModule from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { MissingPackageError } from "../platform/optional-package.js";

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
export function registerTypeScript(folder: string): void {
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
