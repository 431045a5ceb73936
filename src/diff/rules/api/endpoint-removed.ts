import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { missingItems } from "../../walk/missing-items.js";

export const endpointRemoved: Rule<"api"> = {
  id: "endpoint-removed",
  on: "api",
  kind: "removed",
  summary: "An endpoint for a location was removed.",
  reason: "The client option `location` no longer accepts the location.",
  verdict: ["warning", "info", "breaking"],
  find: ({ old, new: now }) =>
    missingItems(old.endpoints, now.endpoints, ({ location }) => location).map(
      ({ location }) => ({
        text: `the endpoint for ${quoted(location)} was removed`,
        detail: location,
        below: "/endpoints",
      }),
    ),
};
