import type { Rule } from "../../rule.js";
import { missingItems } from "../../walk/missing-items.js";
import { callFeatures } from "../../walk/call-features.js";

export const callTypeChanged: Rule<"method"> = {
  id: "call-type-changed",
  on: "method",
  kind: "changed",
  summary:
    "Generated calls no longer have a feature, such as iteration over pages or waiting for an operation.",
  reason: "Expressions such as `for await` no longer compile.",
  verdict: ["info", "info", "breaking"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    missingItems(callFeatures(old), callFeatures(now), (name) => name).map(
      (name) => ({ text: `calls no longer have ${name}`, detail: name }),
    ),
};
