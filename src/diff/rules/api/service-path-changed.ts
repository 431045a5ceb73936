import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { samePaths } from "../../walk/same-paths.js";

export const servicePathChanged: Rule<"api"> = {
  id: "service-path-changed",
  on: "api",
  kind: "changed",
  summary: "The `servicePath` of the document changed.",
  reason:
    "For clients, the severity is `info` if the paths of the methods also changed and the full URLs are the same.",
  verdict: ["breaking", "info", "info"],
  find: ({ old, new: now }, documents) => {
    if (old.servicePath === now.servicePath) return undefined;
    return {
      text: `servicePath changed from ${quoted(old.servicePath)} to ${quoted(now.servicePath)}`,
      detail: now.servicePath,
      below: "/servicePath",
      // Callers are not affected if a path prefix was only moved between
      // servicePath and the paths of the methods, because the full paths are
      // unchanged.
      verdict: samePaths(documents) ? { client: "info" } : undefined,
    };
  },
};
