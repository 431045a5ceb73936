import type { Rule } from "../../rule.js";

export const parameterLocationChanged: Rule<"parameter"> = {
  id: "parameter-location-changed",
  on: "parameter",
  kind: "changed",
  summary: "A parameter moved between path and query.",
  verdict: ["breaking", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.location !== now.location && {
      text: `the parameter moved from ${old.location} to ${now.location}`,
      detail: now.location,
      below: "/location",
    },
};
