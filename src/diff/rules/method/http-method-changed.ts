import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";

export const httpMethodChanged: Rule<"method"> = {
  id: "http-method-changed",
  on: "method",
  kind: "changed",
  summary: "The HTTP method of a method changed.",
  reason:
    "For types, the severity is `breaking` if the old method is PATCH with a body, because only PATCH bodies can contain null.",
  verdict: ["breaking", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.httpMethod !== now.httpMethod && {
      text: `the HTTP method changed from ${quoted(old.httpMethod)} to ${quoted(now.httpMethod)}`,
      detail: now.httpMethod,
      below: "/httpMethod",
      // Only bodies of PATCH requests can contain null, so a change from PATCH
      // to a different method affects the type of the body.
      verdict:
        old.httpMethod === "PATCH" && old.request !== undefined
          ? { types: "breaking" }
          : undefined,
    },
};
