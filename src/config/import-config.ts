import { statSync } from "node:fs";
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
  const { registerTypeScript } = await import("./register-typescript.js");
  registerTypeScript(path.dirname(file));
}
