import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { missingItems } from "../../walk/missing-items.js";

export const bodyMemberOptional: Rule<"method"> = {
  id: "body-member-optional",
  on: "method",
  kind: "changed",
  summary: "A required member of a request body became optional.",
  reason: "Handlers can receive bodies without the member.",
  verdict: ["info", "breaking", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    now.request !== undefined &&
    missingItems(
      old.requiredMembers ?? [],
      now.requiredMembers ?? [],
      (name) => name,
    ).map((name) => ({
      text: `the member ${quoted(name)} of the request body became optional`,
      detail: name,
      below: "/request",
    })),
};
