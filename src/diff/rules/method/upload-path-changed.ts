import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { shapeOf } from "../../walk/paths.js";

const PROTOCOLS = ["simple", "resumable"] as const;

export const uploadPathChanged: Rule<"method"> = {
  id: "upload-path-changed",
  on: "method",
  kind: "changed",
  summary: "The path of media uploads changed.",
  verdict: ["breaking", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    PROTOCOLS.flatMap((name) => {
      const [before, after] = [
        old.upload?.[name]?.path,
        now.upload?.[name]?.path,
      ];
      return before === undefined ||
        after === undefined ||
        shapeOf(before) === shapeOf(after)
        ? []
        : [
            {
              text: `the path of ${name} uploads changed from ${quoted(before)} to ${quoted(after)}`,
              detail: `${name} ${after}`,
              below: `/mediaUpload/protocols/${name}/path`,
            },
          ];
    }),
};
