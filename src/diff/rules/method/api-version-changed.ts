import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";

export const apiVersionChanged: Rule<"method"> = {
  id: "api-version-changed",
  on: "method",
  kind: "changed",
  summary: "The `apiVersion` of a method changed.",
  reason: "Clients send apiVersion in a header.",
  verdict: ["warning", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.apiVersion !== now.apiVersion && {
      text: `apiVersion changed from ${quoted(old.apiVersion ?? "(none)")} to ${quoted(now.apiVersion ?? "(none)")}`,
      detail: now.apiVersion,
      below: "/apiVersion",
    },
};
