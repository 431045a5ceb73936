import type { Sink } from "../diagnostics/sink.js";
import type { Api } from "../model/ir.js";
import type { Engine } from "../render/engine.js";
import type { OutputFile } from "../render/output-file.js";
import type { ApiContext } from "./shared/api-context.js";
import type { TargetOptions } from "./shared/target-options.js";

export type { ImportOptions, TargetOptions } from "./shared/target-options.js";

/**
 * Input of a target: model, names and settings of an API, templates, and
 * diagnostics.
 */
export interface TargetInput extends ApiContext {
  readonly engine: Engine;
  readonly sink: Sink;
}

/** Target whose files are TypeScript: prints an API below the API's folder. */
export interface CodeTarget {
  readonly name: string;
  /** Folder in src/runtime that the output needs. */
  readonly runtime: string;
  /** Other folders in src/runtime that the output imports. */
  readonly borrows?: readonly string[];
  /** Other targets whose files the output imports. They are printed as well. */
  readonly implies?: readonly string[];
  /** Loads modules that other targets do not need; called before `generate`. */
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
 * Target whose files are data, such as OpenAPI. It needs neither a runtime nor
 * the names of TypeScript declarations.
 */
export interface DataTarget {
  readonly name: string;
  /** Loads the modules of the target; called before `print`. */
  load(): Promise<void>;
  print(input: DataInput): OutputFile[];
}

/** Prints the model of an API into files below the API's folder. */
export type Target = CodeTarget | DataTarget;

/** Loads the modules of the targets that need it. */
export async function loadTargets(targets: readonly Target[]): Promise<void> {
  for (const target of targets) await target.load?.();
}
