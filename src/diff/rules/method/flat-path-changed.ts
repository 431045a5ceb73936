import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { hasOwnFlatPath, shapeOf } from "../../walk/paths.js";

export const flatPathChanged: Rule<"method"> = {
  id: "flat-path-changed",
  on: "method",
  kind: "changed",
  summary: "The `flatPath` of a method changed.",
  reason:
    "Clients use `path`; servers use `flatPath` to determine the number of segments of `{+name}`. The severity is `info` if only the names of variables changed.",
  verdict: ["warning", "warning", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    (old.flatPath ?? old.path) !== (now.flatPath ?? now.path) &&
    shapeOf(old.path) === shapeOf(now.path) &&
    hasOwnFlatPath(old, now) && {
      text: `flatPath changed from ${quoted(old.flatPath ?? old.path)} to ${quoted(now.flatPath ?? now.path)}`,
      detail: now.flatPath ?? now.path,
      below: "/flatPath",
      verdict:
        shapeOf(old.flatPath ?? old.path) === shapeOf(now.flatPath ?? now.path)
          ? { client: "info", server: "info" }
          : undefined,
    },
};
