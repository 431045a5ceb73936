import type { Sink } from "../diagnostics/sink.js";
import type { Api } from "../model/ir.js";
import type { Engine } from "../render/engine.js";
import {
  memoryStore,
  type OutputFile,
  type TextStore,
} from "../render/output-file.js";
import { apiContext } from "./shared/api-context.js";
import { nameApi } from "./shared/naming.js";
import type { Target, TargetInput, TargetOptions } from "./target.js";

/**
 * Generates the files of an API with several targets. All targets that generate
 * code share the same names, so each changed name is reported only once. If no
 * target generates code, no names are assigned.
 */
export function printTargets(
  ...input: Parameters<typeof printEachTarget>
): OutputFile[] {
  return [...printEachTarget(...input)].flat();
}

/**
 * Generates the same files as `printTargets`. Yields one list of files for each
 * target.
 */
export function* printEachTarget(
  api: Api,
  targets: readonly Target[],
  options: TargetOptions,
  engine: Engine,
  sink: Sink,
  texts: TextStore = memoryStore,
): Generator<OutputFile[]> {
  let input: TargetInput | undefined;
  const codeInput = (): TargetInput =>
    (input ??= {
      ...apiContext(api, nameApi(api, sink), options, texts),
      engine,
      sink,
    });
  for (const target of targets)
    yield "print" in target
      ? target.print({ api, options, sink, texts })
      : target.generate(codeInput());
}
