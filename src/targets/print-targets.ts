import type { Sink } from "../diagnostics/sink.js";
import type { Api } from "../model/ir.js";
import type { Engine } from "../render/engine.js";
import type { OutputFile } from "../render/output-file.js";
import { apiContext } from "./shared/api-context.js";
import { nameApi } from "./shared/naming.js";
import type { Target, TargetOptions } from "./target.js";

/**
 * Prints an API with several targets. They share the names of the API, so each
 * renamed part is reported once.
 */
export function printTargets(
  api: Api,
  targets: readonly Target[],
  options: TargetOptions,
  engine: Engine,
  sink: Sink,
): OutputFile[] {
  const context = apiContext(api, nameApi(api, sink), options);
  const input = { ...context, engine, sink };
  return targets.flatMap((target) => target.generate(input));
}
