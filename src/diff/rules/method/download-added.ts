import type { Rule } from "../../rule.js";

export const downloadAdded: Rule<"method"> = {
  id: "download-added",
  on: "method",
  kind: "added",
  summary: "Media downloads were added to a method.",
  verdict: ["info", "warning", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.download === undefined &&
    now.download !== undefined && {
      text: "media downloads were added",
      below: "/supportsMediaDownload",
    },
};
