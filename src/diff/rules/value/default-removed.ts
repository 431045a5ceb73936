import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";

export const defaultRemoved: Rule<"value"> = {
  id: "default-removed",
  on: "value",
  kind: "changed",
  summary: "A default was removed.",
  reason:
    "Handlers no longer always receive a parameter; properties of bodies have no effective defaults (info).",
  verdict: ["warning", "breaking", "info"],
  find: ({ old, new: now, where }) =>
    old.constraints.default !== undefined &&
    now.constraints.default === undefined && {
      text: `the default ${quoted(old.constraints.default)} was removed`,
      below: "/default",
      verdict: where === "parameter" ? undefined : { server: "info" },
    },
};
