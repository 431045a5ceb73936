import type { Rule } from "../../rule.js";
import { changedFields } from "../../walk/method-fields.js";

export const methodExtensionChanged: Rule<"method"> = {
  id: "method-extension-changed",
  on: "method",
  kind: "changed",
  summary:
    "A method field without its own rule changed: an extension, `streamingType`, `etagRequired`, or `supportsSubscription`.",
  verdict: ["warning", "warning", "info"],
  find: ({ old, new: now }, documents) =>
    old !== undefined &&
    now !== undefined &&
    changedFields(old, now, documents).map((name) => ({
      text: `${name} changed`,
      detail: name,
      below: `/${name}`,
    })),
};
