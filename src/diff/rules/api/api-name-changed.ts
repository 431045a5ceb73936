import type { Rule } from "../../rule.js";
import { apiTitle } from "../../../model/names.js";
import { apiFolder } from "../../../targets/shared/api-folder.js";
import { quoted } from "../../words.js";

export const apiNameChanged: Rule<"api"> = {
  id: "api-name-changed",
  on: "api",
  kind: "changed",
  summary:
    "The name of the output folder, or of the function that creates clients, changed.",
  verdict: ["info", "info", "breaking"],
  find: ({ old, new: now }) => {
    const [before, after] = [old, now].map(
      (api) => `${apiFolder(api)} ${apiTitle(api)}`,
    );
    return (
      before !== after && {
        text: `the folder and title of the output changed from ${quoted(before!)} to ${quoted(after!)}`,
        detail: after,
      }
    );
  },
};
