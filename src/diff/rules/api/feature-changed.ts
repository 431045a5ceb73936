import type { Finding, Rule } from "../../rule.js";
import { listed } from "../../words.js";

export const featureChanged: Rule<"api"> = {
  id: "feature-changed",
  on: "api",
  kind: "changed",
  summary:
    "`features` or `fullyEncodeReservedExpansion` changed, which affects how requests and responses are encoded.",
  reason:
    "The severity is `warning` if only the encoding of paths changed, because servers decode both encodings.",
  verdict: ["breaking", "info", "info"],
  find({ old, new: now }) {
    const findings: Finding[] = [];
    if (old.encodeReserved !== now.encodeReserved)
      findings.push({
        text: `fullyEncodeReservedExpansion changed to ${String(now.encodeReserved)}`,
        detail: `encode ${String(now.encodeReserved)}`,
        below: "/fullyEncodeReservedExpansion",
        verdict: { client: "warning" },
      });
    const [before, after] = [listed(old.features), listed(now.features)];
    if (before !== after)
      findings.push({
        text: `features changed from ${before} to ${after}`,
        detail: after,
        below: "/features",
      });
    return findings;
  },
};
