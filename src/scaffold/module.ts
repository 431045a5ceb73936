import { existsSync } from "node:fs";
import path from "node:path";
import type { Sink } from "../diagnostics/sink.js";
import { readPlainFile } from "../platform/plain-file.js";
import { isGenerated } from "../generate/is-generated.js";

/** Where a scaffold imports from. */
export interface Modules {
  /** Specifier of server.ts. */
  readonly server: string;
  /** Specifier of the runtime's index. */
  readonly runtime: string;
  /** Suffix of relative imports. */
  readonly suffix: string;
}

/** What the command line says of the generated server. */
export interface ServerPlace {
  readonly cwd: string;
  /** Path of the file that imports. */
  readonly out: string;
  /** Module of the generated server; a path from cwd if it starts with a dot or slash. */
  readonly server?: string | undefined;
  /** Folder into which was generated. */
  readonly generated: string;
}

/** Where the generated server is; undefined and a diagnostic where there is none. */
export function findModules(
  folder: string,
  { cwd, out, server, generated }: ServerPlace,
  sink: Sink,
): Modules | undefined {
  if (server !== undefined && !/^[./]/.test(server))
    return besides(server, server.replace(/\/[^/]*$/, ""), ".js");
  const file =
    server === undefined
      ? generatedServer(path.resolve(cwd, generated), folder)
      : sourceOf(path.resolve(cwd, server));
  if (file === undefined) {
    sink.report(
      "scaffold-server-missing",
      `${generated} holds no generated server ${folder}/server.ts`,
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
    ? besides(here, relative(from, path.dirname(file)), suffix)
    : { server: here, runtime: `${runtime}/server`, suffix };
}

function besides(server: string, folder: string, suffix: string): Modules {
  const runtime = path.posix.join(folder, "../../runtime/server/index");
  const start = folder.startsWith(".") && !runtime.startsWith(".") ? "./" : "";
  return { server, runtime: `${start}${runtime}${suffix}`, suffix };
}

function generatedServer(out: string, folder: string): string | undefined {
  const file = path.join(out, folder, "server.ts");
  const isFound = isGenerated(out, folder, "server.ts") || existsSync(file);
  return isFound ? file : undefined;
}

/** The TypeScript file that `server.js` is compiled from. */
function sourceOf(file: string): string {
  return `${file.replace(/\.[jt]s$/, "")}.ts`;
}

/** A path from a folder as an import has it. */
export function relative(from: string, to: string): string {
  const found = path.relative(from, to).split(path.sep).join("/");
  return found.startsWith(".") ? found : `./${found}`;
}
