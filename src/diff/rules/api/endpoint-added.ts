import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { missingItems } from "../../walk/missing-items.js";

export const endpointAdded: Rule<"api"> = {
  id: "endpoint-added",
  on: "api",
  kind: "added",
  summary: "An endpoint for a location was added.",
  verdict: ["info", "info", "info"],
  find: ({ old, new: now }) =>
    missingItems(now.endpoints, old.endpoints, ({ location }) => location).map(
      ({ location }) => ({
        text: `an endpoint for ${quoted(location)} was added`,
        detail: location,
        below: "/endpoints",
      }),
    ),
};
