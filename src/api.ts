import path from "node:path";
import { locate } from "./diagnostics/locate.js";
import type { Diagnostic } from "./diagnostics/types.js";
import { loadBytes } from "./load/load.js";
import { buildApi } from "./model/build/api.js";
import type { Api } from "./model/ir.js";
import { runPipeline } from "./pipeline.js";
import { Engine } from "./render/engine.js";
import { targets } from "./targets/index.js";
import { hash } from "./write/manifest.js";
import { isChange, type Action } from "./write/plan.js";

/** Settings of a run from a program; the same as on the command line. */
export interface GenerateOptions {
  /** Files, folders or globs. */
  readonly spec: string | readonly string[];
  readonly out: string;
  /** Default: `["client"]`. */
  readonly target?: readonly string[];
  /** Overwrite files that were not generated. Default: false. */
  readonly force?: boolean;
  /** Let "Required." and "Output only." in descriptions bind types. Default: false. */
  readonly trustProse?: boolean;
  /** Base of relative paths. Default: the working folder. */
  readonly cwd?: string;
}

/** What a run did, or would do. */
export interface GenerateResult {
  /** Paths relative to `out`. */
  readonly files: readonly { readonly path: string; readonly action: Action }[];
  readonly diagnostics: readonly Diagnostic[];
  /** Whether files differ from what they should be (before writing). */
  readonly changed: boolean;
}

/** Generates and writes. Bad input is in the diagnostics, never thrown. */
export function generate(options: GenerateOptions): Promise<GenerateResult> {
  return run(options, "write");
}

/** Compares the output with what would be written, and writes nothing. */
export function check(options: GenerateOptions): Promise<GenerateResult> {
  return run(options, "check");
}

async function run(
  options: GenerateOptions,
  mode: "write" | "check",
): Promise<GenerateResult> {
  const cwd = options.cwd ?? process.cwd();
  const wanted = options.target ?? ["client"];
  const trustProse = options.trustProse === true;
  const result = await runPipeline({
    specs: typeof options.spec === "string" ? [options.spec] : options.spec,
    cwd,
    session: {
      out: path.resolve(cwd, options.out),
      mode,
      force: options.force === true,
    },
    targets: targets.filter(({ name }) => wanted.includes(name)),
    target: { importSuffix: ".js", trustProse },
    engine: () => new Engine(),
    optionsHash: hash(JSON.stringify([wanted, trustProse])),
    locateInfo: true,
  });
  const files = result.plans.flatMap((plan) =>
    plan.files.map(({ path: file, action }) => ({ path: file, action })),
  );
  return {
    files,
    diagnostics: result.diagnostics,
    changed: result.plans.some((plan) => plan.files.some(isChange)),
  };
}

/** Reads a document's bytes into the model; undefined where it can't be used. */
export function load(
  bytes: Buffer | string,
  name = "document",
): { readonly api?: Api; readonly diagnostics: readonly Diagnostic[] } {
  const { sink, text, document } = loadBytes(Buffer.from(bytes), name);
  const api =
    document === undefined
      ? undefined
      : buildApi(document, sink, { trustProse: false });
  const diagnostics =
    text === undefined ? sink.diagnostics : locate(sink.diagnostics, text);
  return api === undefined || sink.failed
    ? { diagnostics }
    : { api, diagnostics };
}
