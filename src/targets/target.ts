import type { Sink } from "../diagnostics/sink.js";
import type { Engine } from "../render/engine.js";
import type { OutputFile } from "../render/output-file.js";
import type { ApiContext } from "./shared/api-context.js";

export type { TargetOptions } from "./shared/target-options.js";

/** Input of targets: model, names and settings of an API, templates, and diagnostics. */
export interface TargetInput extends ApiContext {
  readonly engine: Engine;
  readonly sink: Sink;
}

/** Turns the model of one API into files below the API's folder. */
export interface Target {
  readonly name: string;
  /** Folder of src/runtime that the output needs. */
  readonly runtime: string;
  /** Other folders of src/runtime that the output imports from. */
  readonly borrows?: readonly string[];
  /** Targets whose files the output imports, and which are printed with it. */
  readonly implies?: readonly string[];
  generate(input: TargetInput): OutputFile[];
}
