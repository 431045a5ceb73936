import type { Rule } from "../../rule.js";

export const downloadRemoved: Rule<"method"> = {
  id: "download-removed",
  on: "method",
  kind: "removed",
  summary: "A method has no media downloads any more.",
  verdict: ["breaking", "breaking", "breaking"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.download !== undefined &&
    now.download === undefined && {
      text: "media downloads were removed",
      below: "/supportsMediaDownload",
    },
};
