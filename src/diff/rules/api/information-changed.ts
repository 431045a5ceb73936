import type { Rule } from "../../rule.js";

const FIELDS = ["title", "description", "labels", "documentationLink"] as const;

export const informationChanged: Rule<"api"> = {
  id: "information-changed",
  on: "api",
  kind: "text",
  summary:
    "The title, description, labels or documentation link of the document changed.",
  verdict: ["info", "info", "info"],
  find: ({ old, new: now }) =>
    FIELDS.flatMap((field) => {
      const [before, after] = [
        JSON.stringify(old[field] ?? null),
        JSON.stringify(now[field] ?? null),
      ];
      return before === after
        ? []
        : [
            {
              text: `${field} changed`,
              detail: `${field} ${after}`,
              below: `/${field}`,
            },
          ];
    }),
};
