import path from "node:path";
import { suggestion } from "../diagnostics/closest.js";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import {
  runPipeline,
  type PipelineOptions,
  type PipelineResult,
} from "./pipeline.js";
import { Engine } from "../render/engine.js";
import { targets } from "../targets/index.js";
import type { ImportOptions } from "../targets/target.js";
import type { ApiSettings, SpecSettings } from "./api-settings.js";
import { hash } from "../platform/hash.js";
import type { SessionOptions } from "../write/output-session.js";

/**
 * All settings of a run that is started from the command line or from a
 * program.
 */
export interface Settings {
  readonly specs: readonly SpecSettings[];
  readonly out: string;
  readonly mode: SessionOptions["mode"];
  readonly force: boolean;
  /** Removes the output of targets that are not requested. */
  readonly prune: boolean;
  readonly templates?: string | undefined;
  readonly importSuffix: "js" | "ts" | "none";
  readonly runtime: "copy" | "package";
  readonly formatter: "none" | "prettier";
  /** Base folder of relative paths. */
  readonly cwd: string;
  readonly locateInfo: boolean;
  readonly onProgress?: PipelineOptions["onProgress"] | undefined;
}

/**
 * Loads the user's templates and formatter and runs the generation. Reports
 * invalid settings as diagnostics.
 */
export async function runGeneration(
  settings: Settings,
): Promise<PipelineResult> {
  const extras = await loadUserExtensions(settings);
  const diagnostics = [...unknownTargets(settings), ...extras.diagnostics];
  if (diagnostics.length === 0) diagnostics.push(...(await unused(settings)));
  return diagnostics.length > 0
    ? { plans: [], diagnostics, total: 0, failed: 0 }
    : runPipeline(pipelineOptions(settings, extras));
}

/** Reports unused patches. The module is loaded only if there are patches. */
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

/** Templates and formatter that the user provides. */
interface UserExtensions {
  readonly templates: ReadonlyMap<string, unknown>;
  readonly formatter?: PipelineOptions["formatter"];
  /**
   * Hashes of the user's files that affect the output: templates and formatter
   * settings.
   */
  readonly fingerprints: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

async function loadUserExtensions(settings: Settings): Promise<UserExtensions> {
  const { cwd, out } = settings;
  const fingerprints: string[] = [];
  const diagnostics: Diagnostic[] = [];
  let templates: UserExtensions["templates"] = new Map();
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
  return { templates, formatter, fingerprints, diagnostics };
}

function pipelineOptions(
  settings: Settings,
  extras: UserExtensions,
): PipelineOptions {
  const { cwd, mode, force, prune, specs, onProgress } = settings;
  const { formatter } = extras;
  return {
    specs,
    cwd,
    session: { out: path.resolve(cwd, settings.out), cwd, mode, force },
    prune,
    imports: importOptions(settings),
    engine: once(() => new Engine(extras.templates)),
    isThreadable: settings.templates === undefined && formatter === undefined,
    optionsHash: optionsHash(settings, extras),
    locateInfo: settings.locateInfo,
    ...(formatter === undefined ? {} : { formatter }),
    ...(onProgress === undefined ? {} : { onProgress }),
  };
}

function once<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= create());
}

function importOptions({ importSuffix, runtime }: Settings): ImportOptions {
  return {
    importSuffix: importSuffix === "none" ? "" : `.${importSuffix}`,
    ...(runtime === "package"
      ? { runtimeModule: "discovery-codegen/runtime" }
      : {}),
  };
}

/**
 * Returns the hash of the options and the user's files that affect the output
 * of all documents.
 */
function optionsHash(
  { importSuffix, runtime, formatter }: Settings,
  { fingerprints }: UserExtensions,
): string {
  return hash(
    JSON.stringify([importSuffix, runtime, formatter, ...fingerprints]),
  );
}

/** Gives the documents of several `--spec` arguments the same settings. */
export function sameSettings(
  specs: readonly string[],
  settings: ApiSettings,
): SpecSettings[] {
  return specs.map((spec) => ({ spec, settings }));
}
