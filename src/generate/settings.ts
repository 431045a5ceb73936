import path from "node:path";
import { suggestion } from "../diagnostics/closest.js";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import {
  runPipeline,
  type PipelineResult,
  type RunContext,
} from "./pipeline.js";
import type { JavaScriptConverter } from "../render/javascript.js";
import type { Formatter } from "../render/prettier.js";
import { Engine, type Templates } from "../render/engine.js";
import { targets } from "../targets/index.js";
import type { ImportOptions } from "../targets/target.js";
import type { ApiSettings, SpecSettings } from "./api-settings.js";
import { hash } from "../platform/hash.js";
import { reportFailure } from "./failures.js";
import type { Settings } from "./run-settings.js";

export type { Settings } from "./run-settings.js";

/**
 * Loads the user's templates and formatter, and runs the generation. Reports
 * invalid settings as diagnostics.
 */
export async function runGeneration(
  settings: Settings,
): Promise<PipelineResult> {
  const extras = await loadUserExtensions(settings);
  const diagnostics = [
    ...unknownTargets(settings),
    ...suffixConflict(settings),
    ...extras.diagnostics,
  ];
  if (diagnostics.length === 0) diagnostics.push(...(await unused(settings)));
  return diagnostics.length > 0
    ? { plans: [], diagnostics, total: 0, failed: 0 }
    : runPipeline(settings, runContext(settings, extras));
}

/**
 * Reports patches for APIs that are not in the run. The module for patches is
 * imported only if there are patches.
 */
async function unused({ specs, cwd }: Settings): Promise<Diagnostic[]> {
  if (specs.every(({ settings }) => settings.patches === undefined)) return [];
  const { unusedPatches } = await import("./patch-files.js");
  return unusedPatches(specs, cwd);
}

function unknownTargets({ specs }: Settings): readonly Diagnostic[] {
  const sink = new Sink();
  const names = targets.map(({ name }) => name);
  const requested = new Set(specs.flatMap(({ settings }) => settings.target));
  for (const name of [...requested].filter((word) => !names.includes(word)))
    sink.report("usage", `unknown target ${name}${suggestion(name, names)}`);
  return sink.diagnostics;
}

/** Reports an import suffix that can't be used in JavaScript output. */
function suffixConflict({
  emit,
  importSuffix,
}: Settings): readonly Diagnostic[] {
  const sink = new Sink();
  if (emit === "js" && importSuffix !== "js")
    sink.report(
      "usage",
      `--import-suffix ${importSuffix} can't be combined with --emit js, whose imports end with .js`,
    );
  return sink.diagnostics;
}

/** Templates and formatter that the user provides, and the compiler. */
export interface UserExtensions {
  readonly templates?: Templates | undefined;
  readonly formatter?: Formatter | undefined;
  readonly javaScript: () => Promise<JavaScriptConverter>;
  /**
   * Hashes of the user's files that affect the output: templates and formatter
   * settings.
   */
  readonly fingerprints: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Loads the user's templates and formatter; reports errors while loading. */
export async function loadUserExtensions(
  settings: Pick<Settings, "cwd" | "out" | "templates" | "formatter" | "emit">,
): Promise<UserExtensions> {
  const { cwd, out } = settings;
  const fingerprints: string[] = [];
  const diagnostics: Diagnostic[] = [];
  let templates: UserExtensions["templates"];
  let formatter: UserExtensions["formatter"];
  if (settings.templates !== undefined) {
    const { readUserTemplates } = await import("../render/user-templates.js");
    const found = readUserTemplates(path.resolve(cwd, settings.templates));
    if ("diagnostics" in found) diagnostics.push(...found.diagnostics);
    else ({ templates } = found);
    if ("fingerprint" in found) fingerprints.push(found.fingerprint);
  }
  if (settings.formatter === "prettier") {
    const { prettierFormatter } = await import("../render/prettier.js");
    const loaded = await prettierFormatter(path.resolve(cwd, out), cwd);
    if ("diagnostics" in loaded) diagnostics.push(...loaded.diagnostics);
    else formatter = loaded;
    if ("fingerprint" in loaded) fingerprints.push(loaded.fingerprint);
  }
  const javaScript = async (): Promise<JavaScriptConverter> => {
    const { javaScriptConverter } = await import("../render/javascript.js");
    return javaScriptConverter([path.resolve(cwd, out), cwd]);
  };
  if (settings.emit === "js") {
    const sink = new Sink();
    try {
      fingerprints.push((await javaScript()).version);
    } catch (error) {
      reportFailure(error, sink);
    }
    diagnostics.push(...sink.diagnostics);
  }
  return { templates, formatter, javaScript, fingerprints, diagnostics };
}

function runContext(settings: Settings, extras: UserExtensions): RunContext {
  const engines = settings.engines ?? new Map<string | undefined, Engine>();
  return {
    imports: importOptions(settings),
    engine: () => engineOf(settings, extras, engines),
    formatter: extras.formatter,
    javaScript: extras.javaScript,
    optionsHash: optionsHash(settings, extras),
  };
}

/**
 * Returns the template engine for the user's template folder. Creates the
 * engine on first use.
 */
function engineOf(
  { templates }: Settings,
  extras: UserExtensions,
  engines: Map<string | undefined, Engine>,
): Engine {
  const engine = engines.get(templates) ?? new Engine(extras.templates);
  engines.set(templates, engine);
  return engine;
}

function importOptions({
  emit,
  importSuffix,
  runtime,
  tsNocheck,
}: Settings): ImportOptions {
  return {
    ...(emit === "js" ? { emit } : {}),
    importSuffix: importSuffix === "none" ? "" : `.${importSuffix}`,
    ...(runtime === "package"
      ? { runtimeModule: "discovery-codegen-runtime" }
      : {}),
    ...(tsNocheck === "none" ? {} : { tsNocheck }),
  };
}

/**
 * Returns a hash of the options and the user's files that affect the output of
 * all documents.
 */
function optionsHash(
  { emit = "ts", importSuffix, runtime, tsNocheck, formatter }: Settings,
  { fingerprints }: UserExtensions,
): string {
  const values = [emit, importSuffix, runtime, tsNocheck, formatter];
  return hash(JSON.stringify([...values, ...fingerprints]));
}

/**
 * Returns an entry for each of several `--spec` arguments, all with the same
 * settings.
 */
export function sameSettings(
  specs: readonly string[],
  settings: ApiSettings,
): SpecSettings[] {
  return specs.map((spec) => ({ spec, settings }));
}
