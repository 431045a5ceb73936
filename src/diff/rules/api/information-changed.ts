import type { Rule } from "../../rule.js";

const FIELDS = ["title", "description", "labels", "documentationLink"] as const;

export const informationChanged: Rule<"api"> = {
  id: "information-changed",
  on: "api",
  kind: "text",
  summary:
    "Texts of the document changed: title, description, labels, or the link to the documentation.",
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
