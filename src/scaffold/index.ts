import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { Api } from "../model/ir.js";
import { replaceFile } from "../platform/replace-file.js";
import { refuseStray } from "../platform/output-path.js";
import { readModels, type LoadResult } from "../generate/read-model.js";
import { loadWithPackage } from "../platform/optional-package.js";
import { nameApi } from "../targets/shared/naming.js";
import { freshMain, freshService } from "./fresh.js";
import { findModules, relative, type Modules } from "./module.js";
import { handlerPaths, membersOf } from "./tree.js";

/** What a scaffold is asked to do. */
export interface ScaffoldOptions {
  readonly specs: readonly string[];
  /** The file with the service. */
  readonly out: string;
  /** A file that listens; written where there is none. */
  readonly main?: string | undefined;
  readonly server?: string | undefined;
  readonly generated: string;
  readonly cwd: string;
  /** Writes nothing. */
  readonly isDry: boolean;
}

/** What a scaffold did, or would do. */
export interface Scaffolded {
  readonly files: readonly {
    readonly path: string;
    readonly action: "create" | "update" | "same";
  }[];
  /** Handlers that were added, such as `files.get`. */
  readonly added: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Text of a file before and after, and what is new in it. */
interface Change {
  readonly before: Buffer | undefined;
  readonly after: Buffer;
  readonly added: readonly string[];
}

/** Writes a service, or adds to it what is new. Bad input is in the diagnostics. */
export async function runScaffold(
  options: ScaffoldOptions,
): Promise<Scaffolded> {
  const found = await modelFor(options);
  const sink = new Sink(options.out);
  const nothing = (): Scaffolded => ({
    files: [],
    added: [],
    diagnostics: [...found.diagnostics, ...sink.diagnostics],
  });
  const { api } = found;
  if (api === undefined) return nothing();
  const { folder, title } = nameApi(api, [], new Sink());
  const modules = findModules(folder, options, sink);
  if (modules === undefined) return nothing();
  const service = await serviceChange(api, title, modules, options, sink);
  if (service === undefined || sink.hasErrors) return nothing();
  const { out, main } = options;
  const changes: [string, Change][] = [[out, service]];
  if (main !== undefined)
    changes.push([main, mainChange(title, folder, options, sink)]);
  if (sink.hasErrors) return nothing();
  const files = changes.map(([file, change]) => ({
    path: file,
    action: actionOf(change),
  }));
  if (!options.isDry)
    for (const [file, change] of changes) write(file, change, options, sink);
  const diagnostics = [...found.diagnostics, ...sink.diagnostics];
  return { files, added: service.added, diagnostics };
}

async function modelFor({ specs, cwd }: ScaffoldOptions): Promise<LoadResult> {
  const { models, diagnostics } = await readModels(specs, { cwd });
  const [found] = models;
  if (found === undefined) return { diagnostics };
  if (models.length > 1) {
    const sink = new Sink();
    sink.report(
      "usage",
      `a service is of one document, and --spec names ${models.length}`,
    );
    return { diagnostics: [...diagnostics, ...sink.diagnostics] };
  }
  return { ...found, diagnostics: [...diagnostics, ...found.diagnostics] };
}

async function serviceChange(
  api: Api,
  title: string,
  modules: Modules,
  { out, cwd }: ScaffoldOptions,
  sink: Sink,
): Promise<Change | undefined> {
  const file = path.resolve(cwd, out);
  const before = read(file, cwd, sink);
  const members = membersOf(api);
  if (before === undefined || before.toString("utf8").trim() === "") {
    const after = Buffer.from(freshService(title, members, modules));
    return sink.hasErrors
      ? undefined
      : { before, after, added: handlerPaths(members) };
  }
  // The parser takes a third of a second to load.
  const { update } = await loadWithPackage(
    "ts-morph",
    "Adding to an existing file",
    () => import("./update.js"),
  );
  const found = update({ file, before, title, members, modules }, sink);
  return found && { before, ...found };
}

function mainChange(
  title: string,
  folder: string,
  options: ScaffoldOptions,
  sink: Sink,
): Change {
  const { cwd, out, main } = options;
  const file = path.resolve(cwd, main!);
  const before = read(file, cwd, sink);
  // Its imports lead from its own folder.
  const modules = findModules(folder, { ...options, out: main! }, sink);
  const suffix = modules?.suffix ?? ".js";
  const service = relative(path.dirname(file), path.resolve(cwd, out)).replace(
    /\.[cm]?tsx?$/,
    suffix,
  );
  const text = modules === undefined ? "" : freshMain(title, modules, service);
  return { before, after: before ?? Buffer.from(text), added: [] };
}

function actionOf({ before, after }: Change): "create" | "update" | "same" {
  if (before === undefined) return "create";
  return before.equals(after) ? "same" : "update";
}

/** The bytes of a file; undefined where there is none, or where it can't be read. */
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

/** Replaces a file in one step, unless somebody changed it since it was read. */
function write(
  name: string,
  change: Change,
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
    else sink.report("output-unwritable", `${name} was changed meanwhile`);
  } catch (error) {
    sink.report("output-unwritable", (error as Error).message);
  }
}
