import type { Rule } from "../../rule.js";
import { listed } from "../../words.js";

export const featureChanged: Rule<"api"> = {
  id: "feature-changed",
  on: "api",
  kind: "changed",
  summary:
    "The document changed `features` or `fullyEncodeReservedExpansion`, which change how requests and responses are encoded.",
  verdict: ["breaking", "info", "info"],
  find: ({ old, new: now }) => [
    ...(old.encodeReserved === now.encodeReserved
      ? []
      : [
          {
            text: `fullyEncodeReservedExpansion changed to ${String(now.encodeReserved)}`,
            detail: `encode ${String(now.encodeReserved)}`,
            below: "/fullyEncodeReservedExpansion",
          },
        ]),
    ...(listed(old.features) === listed(now.features)
      ? []
      : [
          {
            text: `features changed from ${listed(old.features)} to ${listed(now.features)}`,
            detail: listed(now.features),
            below: "/features",
          },
        ]),
  ],
};
