import path from "node:path";
import { options } from "./options.js";
import { suggestion } from "../diagnostics/closest.js";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import {
  runPipeline,
  type PipelineOptions,
  type PipelineResult,
} from "./pipeline.js";
import { Engine } from "../render/engine.js";
import { targets, targetsOf } from "../targets/index.js";
import type { TargetOptions } from "../targets/target.js";
import { hash } from "../platform/hash.js";
import type { SessionOptions } from "../write/session.js";

/** What both the command line and a program can ask for, with nothing left open. */
export interface Settings {
  readonly spec: readonly string[];
  readonly out: string;
  readonly target: readonly string[];
  readonly mode: SessionOptions["mode"];
  readonly force: boolean;
  /** Remove the output of targets that are not asked for. */
  readonly prune: boolean;
  readonly templates?: string | undefined;
  readonly importSuffix: "js" | "ts" | "none";
  readonly runtime: "copy" | "package";
  readonly trustProse: boolean;
  readonly formatter: "none" | "prettier";
  /** Base of relative paths. */
  readonly cwd: string;
  readonly locateInfo: boolean;
  readonly onProgress?: PipelineOptions["onProgress"] | undefined;
}

/** Loads what the settings need, and runs. What they get wrong is in the diagnostics. */
export async function runWith(settings: Settings): Promise<PipelineResult> {
  const extras = await loadExtras(settings);
  const diagnostics = [...unknownTargets(settings), ...extras.diagnostics];
  return diagnostics.length > 0
    ? { plans: [], diagnostics, total: 0, failed: 0 }
    : runPipeline(pipelineOptions(settings, extras));
}

function unknownTargets({ target }: Settings): readonly Diagnostic[] {
  const sink = new Sink();
  const names = targets.map(({ name }) => name);
  for (const name of target.filter((one) => !names.includes(one)))
    sink.report("usage", `unknown target ${name}${suggestion(name, names)}`);
  return sink.diagnostics;
}

/** What few runs need: the user's templates and formatter. */
interface Extras {
  readonly templates: ReadonlyMap<string, unknown>;
  readonly formatter?: PipelineOptions["formatter"];
  /** Of files that decide output: templates, the formatter's settings. */
  readonly fingerprints: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

async function loadExtras(settings: Settings): Promise<Extras> {
  const { cwd, out } = settings;
  const fingerprints: string[] = [];
  const diagnostics: Diagnostic[] = [];
  let templates: Extras["templates"] = new Map();
  let formatter: Extras["formatter"];
  if (settings.templates !== undefined) {
    const { readUserTemplates } = await import("../render/user-templates.js");
    const found = readUserTemplates(path.resolve(cwd, settings.templates));
    if ("diagnostics" in found) diagnostics.push(...found.diagnostics);
    else ({ templates } = found);
    if ("fingerprint" in found) fingerprints.push(found.fingerprint);
  }
  if (settings.formatter === "prettier") {
    const { prettierFormatter } = await import("../render/prettier.js");
    const found = await prettierFormatter(path.resolve(cwd, out), cwd);
    if ("diagnostics" in found) diagnostics.push(...found.diagnostics);
    else formatter = found;
    if ("fingerprint" in found) fingerprints.push(found.fingerprint);
  }
  return { templates, formatter, fingerprints, diagnostics };
}

function pipelineOptions(settings: Settings, extras: Extras): PipelineOptions {
  const { cwd, mode, force, prune, spec, onProgress } = settings;
  const { formatter } = extras;
  return {
    specs: spec,
    cwd,
    session: { out: path.resolve(cwd, settings.out), cwd, mode, force },
    prune,
    targets: targetsOf(settings.target),
    target: targetOptions(settings),
    engine: once(() => new Engine(extras.templates)),
    isThreadable: settings.templates === undefined && formatter === undefined,
    optionsHash: optionsHash(settings, extras),
    locateInfo: settings.locateInfo,
    ...(formatter === undefined ? {} : { formatter }),
    ...(onProgress === undefined ? {} : { onProgress }),
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function targetOptions(settings: Settings): TargetOptions {
  const { importSuffix, trustProse, runtime, target } = settings;
  return {
    importSuffix: importSuffix === "none" ? "" : `.${importSuffix}`,
    trustProse,
    targets: targetsOf(target).map(({ name }) => name),
    ...(runtime === "package"
      ? { runtimeModule: "discovery-codegen/runtime" }
      : {}),
  };
}

/** Of the options that decide output; where templates lie does not, what they hold does. */
function optionsHash(settings: Settings, { fingerprints }: Extras): string {
  const deciding = options
    .filter(({ decidesOutput }) => decidesOutput === true)
    .map(({ name }) => settings[name as keyof Settings] ?? null);
  return hash(JSON.stringify([...deciding, ...fingerprints]));
}
