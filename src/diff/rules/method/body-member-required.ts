import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { missingItems } from "../../walk/missing-items.js";

export const bodyMemberRequired: Rule<"method"> = {
  id: "body-member-required",
  on: "method",
  kind: "changed",
  summary:
    "A member of a request body became required (`annotations.required`).",
  verdict: ["breaking", "info", "breaking"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    missingItems(
      now.requiredMembers ?? [],
      old.requiredMembers ?? [],
      (name) => name,
    ).map((name) => ({
      text: `the member ${quoted(name)} of the request body became required`,
      detail: name,
      below: "/request",
    })),
};
