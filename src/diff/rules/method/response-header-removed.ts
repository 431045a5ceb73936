import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { missingItems } from "../../walk/missing-items.js";

export const responseHeaderRemoved: Rule<"method"> = {
  id: "response-header-removed",
  on: "method",
  kind: "removed",
  summary: "A declared response header was removed (`x-response-headers`).",
  verdict: ["breaking", "breaking", "breaking"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    missingItems(
      old.responseHeaders ?? [],
      now.responseHeaders ?? [],
      ({ name }) => name.toLowerCase(),
    ).map(({ name }) => ({
      text: `the response header ${quoted(name)} was removed`,
      detail: name,
    })),
};
