import type { Api } from "../model/ir.js";
import type { Sink } from "../diagnostics/sink.js";
import type { OutputFile } from "../render/output-file.js";
import type { Engine } from "../render/engine.js";

/** Settings that change what targets print. */
export interface TargetOptions {
  /** Suffix of relative imports: `.js`, `.ts` or nothing. */
  readonly importSuffix: ".js" | ".ts" | "";
  /** Names of all targets of the run; absent: the one that is asked. */
  readonly targets?: readonly string[];
  /** Folder that runtimes are imported from; absent: the copies in the output. */
  readonly runtimeModule?: string;
  /** Whether prose such as "Required." binds types. */
  readonly trustProse: boolean;
}

/** What a target gets to print an API. */
export interface TargetInput {
  readonly api: Api;
  readonly engine: Engine;
  readonly options: TargetOptions;
  readonly sink: Sink;
}

/** Turns the model of one API into files below the API's folder. */
export interface Target {
  readonly name: string;
  /** Folder of src/runtime that the output needs. */
  readonly runtime: string;
  /** Other folders of src/runtime that the output imports from. */
  readonly borrows?: readonly string[];
  /** Targets whose files it imports, and which are printed with it. */
  readonly implies?: readonly string[];
  generate(input: TargetInput): OutputFile[];
}
