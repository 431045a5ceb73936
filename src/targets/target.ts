import type { Sink } from "../diagnostics/sink.js";
import type { Api } from "../model/ir.js";
import type { Engine } from "../render/engine.js";
import type { OutputFile } from "../platform/output-file.js";
import type { ApiContext } from "./shared/api-context.js";
import type { TargetOptions } from "./shared/target-options.js";

export type { ImportOptions, TargetOptions } from "./shared/target-options.js";

/**
 * Input of a target that generates code: the API model, names and settings, the
 * template engine, and a collector of diagnostics.
 */
export interface TargetInput extends ApiContext {
  readonly engine: Engine;
  readonly sink: Sink;
}

/**
 * Target that generates modules in the folder of an API, in TypeScript or
 * JavaScript.
 */
export interface CodeTarget {
  readonly name: string;
  /** Folder in src/runtime that contains the runtime of the generated code. */
  readonly runtime: string;
  /**
   * Modules of other runtimes that the generated code imports, keyed by
   * runtime. These modules must not import other modules, because only they are
   * copied into the output.
   */
  readonly borrows?: Readonly<Record<string, readonly string[]>>;
  /**
   * Other targets whose files the generated code imports. These targets are
   * generated too.
   */
  readonly implies?: readonly string[];
  /** Imports modules that only this target needs. Called before `generate`. */
  load?(): Promise<void>;
  generate(input: TargetInput): OutputFile[];
}

/** Input of a target that generates data instead of code. */
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

/**
 * Generator of files in the folder of an API. The input is a model of the API.
 */
export type Target = CodeTarget | DataTarget;

/** Calls `load` of each target that imports modules on demand. */
export async function loadTargets(targets: readonly Target[]): Promise<void> {
  for (const target of targets) await target.load?.();
}
