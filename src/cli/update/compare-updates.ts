import type { Diagnostic } from "../../diagnostics/types.js";
import type { Sink } from "../../diagnostics/sink.js";
import { compareListed, type Comparison } from "../../diff/compare.js";
import type { ListedOperand } from "../../diff/operands.js";
import { DiffPolicy } from "../../diff/policy.js";
import type { UserCode } from "../../diff/uses/types.js";
import { withUses, type DiffConfig } from "../diff-project.js";
import type { UpdatingApi } from "./updating-api.js";

/**
 * Compares the documents of updated APIs with the previous ones, according to
 * the policy of the config. Returns the comparisons by name and version.
 * @param code code that uses the APIs; undefined if its use is not determined
 * @throws MissingPackageError if there is code and ts-morph is not installed
 */
export async function compareUpdates(
  apis: readonly UpdatingApi[],
  config: DiffConfig,
  code: UserCode | undefined,
  sink: Sink,
): Promise<ReadonlyMap<string, Comparison>> {
  const { section, audiences, file, editPair } = config;
  const policy = new DiffPolicy(section, { audiences, file });
  const compared = compareListed(
    listed(apis, ({ before }) => before),
    listed(apis, ({ change }) => change?.bytes ?? undefined),
    { policy, editPair },
  );
  const { comparisons, diagnostics } = await withUses(compared, code);
  // A previous document that can't be read does not prevent its update.
  const isConfig = ({ code }: Diagnostic): boolean =>
    code.startsWith("config-");
  sink.diagnostics.push(
    ...diagnostics.map((finding): Diagnostic =>
      finding.severity === "error" && !isConfig(finding)
        ? { ...finding, severity: "warning" }
        : finding,
    ),
  );
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
