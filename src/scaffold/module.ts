import { existsSync } from "node:fs";
import path from "node:path";
import type { Sink } from "../diagnostics/sink.js";
import { readPlainFile } from "../platform/plain-file.js";
import { readManifest } from "../write/manifest.js";
import { toPosix } from "../platform/paths.js";

/** Module specifiers that a scaffold uses in its imports. */
export interface ModuleSpecifiers {
  /** Module specifier of the generated server.ts. */
  readonly server: string;
  /** Module specifier of the server runtime's index.ts. */
  readonly runtime: string;
  /** File extension of relative imports, such as `.js`. */
  readonly suffix: string;
}

/** Options that determine the location of the generated server. */
export interface ModuleLocations {
  readonly cwd: string;
  /** Path of the file to which the import specifiers are relative. */
  readonly out: string;
  /**
   * Import specifier of the generated server. A value that starts with a dot or
   * slash is a path relative to `cwd`.
   */
  readonly server?: string | undefined;
  /** Output folder of `gen generate`. */
  readonly generated: string;
}

/**
 * Finds the generated server. Reports a missing server and returns undefined.
 */
export function findModules(
  folder: string,
  { cwd, out, server, generated }: ModuleLocations,
  sink: Sink,
): ModuleSpecifiers | undefined {
  if (server !== undefined && !/^[./]/.test(server))
    return specifiersBeside(server, server.replace(/\/[^/]*$/, ""), ".js");
  const file =
    server === undefined
      ? generatedServer(path.resolve(cwd, generated), folder)
      : sourceOf(path.resolve(cwd, server));
  if (file === undefined) {
    sink.report(
      "scaffold-server-missing",
      `${generated} does not contain the generated server ${folder}/server.ts`,
    );
    return undefined;
  }
  const from = path.dirname(path.resolve(cwd, out));
  const source = existsSync(file)
    ? (readPlainFile(file)?.toString() ?? "")
    : "";
  const suffix = /from "\.\/routes(\.[jt]s|)"/.exec(source)?.[1] ?? ".js";
  const runtime = /from "([^."][^"]*)\/server\/core"/.exec(source)?.[1];
  const here = relative(from, file.replace(/\.ts$/, suffix));
  return runtime === undefined
    ? specifiersBeside(here, relative(from, path.dirname(file)), suffix)
    : { server: here, runtime: `${runtime}/server`, suffix };
}

function specifiersBeside(
  server: string,
  folder: string,
  suffix: string,
): ModuleSpecifiers {
  const runtime = path.posix.join(folder, "../../runtime/server/index");
  const start = folder.startsWith(".") && !runtime.startsWith(".") ? "./" : "";
  return { server, runtime: `${start}${runtime}${suffix}`, suffix };
}

function generatedServer(out: string, folder: string): string | undefined {
  const file = path.join(out, folder, "server.ts");
  // The file can be missing, because output can be excluded from a repository.
  const files = readManifest(out)?.groups[folder]?.files;
  const isListed = files?.["server.ts"] !== undefined;
  return isListed || existsSync(file) ? file : undefined;
}

/**
 * Returns the path of the TypeScript source of a file; for `server.js`, this is
 * `server.ts`.
 */
function sourceOf(file: string): string {
  return `${file.replace(/\.[jt]s$/, "")}.ts`;
}

/** Returns a relative path as an import specifier. */
export function relative(from: string, to: string): string {
  const specifier = toPosix(path.relative(from, to));
  return specifier.startsWith(".") ? specifier : `./${specifier}`;
}
