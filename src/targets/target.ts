import type { Sink } from "../diagnostics/sink.js";
import type { Api } from "../model/ir.js";
import type { Engine } from "../render/engine.js";
import type { OutputFile } from "../render/output-file.js";
import type { ApiContext } from "./shared/api-context.js";
import type { TargetOptions } from "./shared/target-options.js";

export type { ImportOptions, TargetOptions } from "./shared/target-options.js";

/**
 * Input of a target that generates code: model, names and settings of an API,
 * the template engine, and the sink for diagnostics.
 */
export interface TargetInput extends ApiContext {
  readonly engine: Engine;
  readonly sink: Sink;
}

/** Target that generates TypeScript files in the folder of an API. */
export interface CodeTarget {
  readonly name: string;
  /** Folder in src/runtime with the runtime of the output. */
  readonly runtime: string;
  /** Other folders in src/runtime from which the output imports modules. */
  readonly borrows?: readonly string[];
  /**
   * Other targets from whose files the output imports. These targets are
   * generated too.
   */
  readonly implies?: readonly string[];
  /**
   * Imports modules that other targets do not need. Called before `generate`.
   */
  load?(): Promise<void>;
  generate(input: TargetInput): OutputFile[];
}

/** Input of a target whose files are not code. */
export interface DataInput {
  readonly api: Api;
  readonly options: TargetOptions;
  readonly sink: Sink;
}

/**
 * Target that generates data, such as OpenAPI. It needs neither a runtime nor
 * the names of TypeScript declarations.
 */
export interface DataTarget {
  readonly name: string;
  /** Imports the modules of the target. Called before `print`. */
  load(): Promise<void>;
  print(input: DataInput): OutputFile[];
}

/** Generator of files in the folder of an API, from the model of the API. */
export type Target = CodeTarget | DataTarget;

/** Imports the modules of those targets that import them on demand. */
export async function loadTargets(targets: readonly Target[]): Promise<void> {
  for (const target of targets) await target.load?.();
}
