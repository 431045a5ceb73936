import type { Sink } from "../../diagnostics/sink.js";
import { compareListed, type Comparison } from "../../diff/compare.js";
import type { ListedOperand } from "../../diff/operands.js";
import { DiffPolicy } from "../../diff/policy.js";
import type { DiffConfig } from "../diff-project.js";
import type { UpdatingApi } from "./updating-api.js";

/**
 * Compares the documents of updated APIs with the previous ones, according to
 * the policy of the config. Returns the comparisons by name and version.
 */
export function compareUpdates(
  apis: readonly UpdatingApi[],
  { section, audiences, file, editPair }: DiffConfig,
  sink: Sink,
): ReadonlyMap<string, Comparison> {
  const policy = new DiffPolicy(section, { audiences, file });
  const { comparisons, diagnostics } = compareListed(
    listed(apis, ({ before }) => before),
    listed(apis, ({ change }) => change?.bytes ?? undefined),
    { policy, editPair },
  );
  sink.diagnostics.push(...diagnostics);
  return new Map(
    comparisons.map((comparison) => [comparison.result.api, comparison]),
  );
}

function listed(
  apis: readonly UpdatingApi[],
  bytesOf: (api: UpdatingApi) => Buffer | undefined,
): ListedOperand {
  const sources = apis.flatMap((api) => {
    const bytes = bytesOf(api);
    const { file } = api.jobApis[0];
    return bytes === undefined
      ? []
      : [{ name: file, spec: file, read: () => bytes }];
  });
  return { sources, isSet: true, diagnostics: [] };
}
