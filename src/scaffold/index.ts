import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { type LoadResult, readModels } from "../generate/read-model.js";
import type { Api } from "../model/ir.js";
import { loadWithPackage } from "../platform/optional-package.js";
import { refuseStray } from "../platform/output-path.js";
import { replaceFile } from "../platform/replace-file.js";
import { quote } from "../render/typescript/code.js";
import { nameApi } from "../targets/shared/naming.js";
import { findModules, type ModuleSpecifiers, relative } from "./module.js";
import { DEFAULT_STYLE, printMembers } from "./print.js";
import {
  countHandlers,
  handlerPaths,
  membersOf,
  type ServiceMember,
} from "./tree.js";

/** Options of `gen scaffold`, which writes handlers for a generated server. */
export interface ScaffoldOptions {
  readonly specs: readonly string[];
  /** Path of the file that contains the service implementation. */
  readonly out: string;
  /**
   * Path of a file that starts an HTTP server. It is created only if it does
   * not exist.
   */
  readonly main?: string | undefined;
  readonly server?: string | undefined;
  readonly generated: string;
  readonly cwd: string;
  /** True to compute the result without writing files. */
  readonly isDry: boolean;
}

export interface ScaffoldResult {
  readonly files: readonly {
    readonly path: string;
    readonly action: "create" | "update" | "same";
  }[];
  /** Dotted paths of the added handlers, such as `files.get`. */
  readonly added: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Content of a file before and after the run, and the paths of added handlers.
 */
interface FileChange {
  readonly before: Buffer | undefined;
  readonly after: Buffer;
  readonly added: readonly string[];
}

/**
 * Writes a service, or adds missing handlers to an existing one. Invalid input
 * is reported as diagnostics.
 */
export async function runScaffold(
  options: ScaffoldOptions,
): Promise<ScaffoldResult> {
  const loaded = await loadModel(options);
  const sink = new Sink(options.out);
  const failedResult = (): ScaffoldResult => ({
    files: [],
    added: [],
    diagnostics: [...loaded.diagnostics, ...sink.diagnostics],
  });
  const { api } = loaded;
  if (api === undefined) return failedResult();
  const { folder, title } = nameApi(api, new Sink());
  const modules = findModules(folder, options, sink);
  if (modules === undefined) return failedResult();
  const service = await serviceChange(api, title, modules, options, sink);
  if (service === undefined || sink.hasErrors) return failedResult();
  const { out, main } = options;
  const changes: [string, FileChange][] = [[out, service]];
  if (main !== undefined)
    changes.push([main, mainChange(title, folder, options, sink)]);
  if (sink.hasErrors) return failedResult();
  const files = changes.map(([file, change]) => ({
    path: file,
    action: actionOf(change),
  }));
  if (!options.isDry)
    for (const [file, change] of changes) write(file, change, options, sink);
  const diagnostics = [...loaded.diagnostics, ...sink.diagnostics];
  return { files, added: service.added, diagnostics };
}

async function loadModel({ specs, cwd }: ScaffoldOptions): Promise<LoadResult> {
  const { models, diagnostics } = await readModels(specs, { cwd });
  const [model] = models;
  if (model === undefined) return { diagnostics };
  if (models.length > 1) {
    const sink = new Sink();
    sink.report(
      "usage",
      `--spec must select exactly one document, but selects ${models.length}`,
    );
    return { diagnostics: [...diagnostics, ...sink.diagnostics] };
  }
  return { ...model, diagnostics: [...diagnostics, ...model.diagnostics] };
}

async function serviceChange(
  api: Api,
  title: string,
  modules: ModuleSpecifiers,
  { out, cwd }: ScaffoldOptions,
  sink: Sink,
): Promise<FileChange | undefined> {
  const file = path.resolve(cwd, out);
  const before = read(file, cwd, sink);
  const members = membersOf(api);
  if (before === undefined || before.toString("utf8").trim() === "") {
    const after = Buffer.from(freshService(title, members, modules));
    return sink.hasErrors
      ? undefined
      : { before, after, added: handlerPaths(members) };
  }
  // The module is imported on demand, because loading the parser takes about
  // 300 ms.
  const { update } = await loadWithPackage(
    "ts-morph",
    "Adding handlers to an existing file",
    () => import("./update.js"),
  );
  const updated = update({ file, before, title, members, modules }, sink);
  return updated && { before, ...updated };
}

function mainChange(
  title: string,
  folder: string,
  options: ScaffoldOptions,
  sink: Sink,
): FileChange {
  const { cwd, out, main } = options;
  const file = path.resolve(cwd, main!);
  const before = read(file, cwd, sink);
  // Import specifiers in the file that starts the server are relative to the
  // folder of that file, which can differ from the folder of the service.
  const modules = findModules(folder, { ...options, out: main! }, sink);
  const suffix = modules?.suffix ?? ".js";
  const service = relative(path.dirname(file), path.resolve(cwd, out)).replace(
    /\.[cm]?tsx?$/,
    suffix,
  );
  const text = modules === undefined ? "" : freshMain(title, modules, service);
  return { before, after: before ?? Buffer.from(text), added: [] };
}

function actionOf({ before, after }: FileChange): "create" | "update" | "same" {
  if (before === undefined) return "create";
  return before.equals(after) ? "same" : "update";
}

/** Reads a file. Returns undefined if it is missing or unreadable. */
function read(file: string, cwd: string, sink: Sink): Buffer | undefined {
  try {
    refuseStray(file, cwd);
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      sink.report("output-unwritable", (error as Error).message);
    return undefined;
  }
}

/**
 * Replaces a file atomically, unless the file was changed since it was read.
 */
function write(
  name: string,
  change: FileChange,
  { cwd }: ScaffoldOptions,
  sink: Sink,
): void {
  if (actionOf(change) === "same") return;
  const file = path.resolve(cwd, name);
  try {
    refuseStray(file, cwd);
    mkdirSync(path.dirname(file), { recursive: true });
    const now = read(file, cwd, sink);
    const isSame =
      now === undefined
        ? change.before === undefined
        : change.before?.equals(now) === true;
    if (isSame) replaceFile(file, change.after);
    else
      sink.report(
        "output-unwritable",
        `${name} was changed by another program while the scaffold was being written`,
      );
  } catch (error) {
    sink.report("output-unwritable", (error as Error).message);
  }
}

/** Returns the text of a new file with a handler for each method. */
export function freshService(
  title: string,
  members: readonly ServiceMember[],
  { server, runtime }: ModuleSpecifiers,
): string {
  const isUsed = countHandlers(members) > 0;
  const body = isUsed
    ? `{\n${printMembers(members, "  ", DEFAULT_STYLE)}\n}`
    : "{}";
  const error = isUsed ? `import { ApiError } from ${quote(runtime)};\n` : "";
  return `${importOf(`${title}Service`, server, true)}${error}
/** Implementation of the API; missing handlers respond with 501. */
export const service: ${title}Service = ${body};
`;
}

/** Returns the text of a new file that starts an HTTP server. */
function freshMain(
  title: string,
  { server, runtime }: ModuleSpecifiers,
  service: string,
): string {
  return `import http from "node:http";
${importOf(`create${title}Server`, server, false)}${importOf("listen", runtime, false)}import { service } from ${quote(service)};

const server = create${title}Server(service, {
  log: ({ method, status, error }) => console.log(method?.id, status, error),
});
const port = Number(process.env["PORT"] ?? 8080);
const listening = await listen(http, server, { port });
console.log(\`listening on http://127.0.0.1:\${listening.port}\`);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void listening.close());
`;
}

function importOf(name: string, module: string, isType: boolean): string {
  return `import ${isType ? "type " : ""}{ ${name} } from ${quote(module)};\n`;
}
