import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";

export const defaultRemoved: Rule<"value"> = {
  id: "default-removed",
  on: "value",
  kind: "changed",
  summary: "A default was removed.",
  reason:
    "Handlers can receive requests without the parameter. The severity is `info` for properties of bodies, because their defaults have no effect.",
  verdict: ["warning", "breaking", "info"],
  find: ({ old, new: now, where }) =>
    old.constraints.default !== undefined &&
    now.constraints.default === undefined && {
      text: `the default ${quoted(old.constraints.default)} was removed`,
      below: "/default",
      verdict: where === "parameter" ? undefined : { server: "info" },
    },
};
