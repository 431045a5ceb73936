import type { Sink } from "../diagnostics/sink.js";
import type { Api } from "../model/ir.js";
import type { OutputFile } from "../platform/output-file.js";
import type { Engine } from "../render/engine.js";
import { apiContext } from "./shared/api-context.js";
import { nameApi } from "./shared/naming.js";
import type { Target, TargetInput, TargetOptions } from "./target.js";

/**
 * Generates the files of an API with several targets. All targets that generate
 * code share the same names, so each changed name is reported only once. If no
 * target generates code, no names are assigned.
 */
export function printTargets(
  api: Api,
  targets: readonly Target[],
  options: TargetOptions,
  engine: Engine,
  sink: Sink,
): OutputFile[] {
  let input: TargetInput | undefined;
  const codeInput = (): TargetInput =>
    (input ??= {
      ...apiContext(api, nameApi(api, sink), options),
      engine,
      sink,
    });
  return targets.flatMap((target) =>
    "print" in target
      ? target.print({ api, options, sink })
      : target.generate(codeInput()),
  );
}
