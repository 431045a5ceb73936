import type { Sink } from "../diagnostics/sink.js";
import type { Engine } from "../render/engine.js";
import type { OutputFile } from "../render/output-file.js";
import type { ApiContext } from "./shared/api-context.js";

export type { ImportOptions, TargetOptions } from "./shared/target-options.js";

/**
 * Input of a target: model, names and settings of an API, templates, and
 * diagnostics.
 */
export interface TargetInput extends ApiContext {
  readonly engine: Engine;
  readonly sink: Sink;
}

/** Prints the model of an API into files below the API's folder. */
export interface Target {
  readonly name: string;
  /** Folder in src/runtime that the output needs. */
  readonly runtime: string;
  /** Other folders in src/runtime that the output imports. */
  readonly borrows?: readonly string[];
  /** Other targets whose files the output imports. They are printed as well. */
  readonly implies?: readonly string[];
  generate(input: TargetInput): OutputFile[];
}
