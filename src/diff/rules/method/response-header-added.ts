import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { missingItems } from "../../walk/missing-items.js";

export const responseHeaderAdded: Rule<"method"> = {
  id: "response-header-added",
  on: "method",
  kind: "added",
  summary: "A response header was declared (`x-response-headers`).",
  verdict: ["info", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    missingItems(
      now.responseHeaders ?? [],
      old.responseHeaders ?? [],
      ({ name }) => name.toLowerCase(),
    ).map(({ name }) => ({
      text: `the response header ${quoted(name)} was added`,
      detail: name,
    })),
};
