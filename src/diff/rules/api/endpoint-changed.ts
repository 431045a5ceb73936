import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";

export const endpointChanged: Rule<"api"> = {
  id: "endpoint-changed",
  on: "api",
  kind: "changed",
  summary: "The URL of the endpoint for a location changed.",
  verdict: ["warning", "info", "info"],
  find: ({ old, new: now }) =>
    now.endpoints.flatMap((endpoint) => {
      const before = old.endpoints.find(
        ({ location }) => location === endpoint.location,
      );
      return before === undefined || before.url === endpoint.url
        ? []
        : [
            {
              text: `the endpoint for ${quoted(endpoint.location)} changed to ${quoted(endpoint.url)}`,
              detail: `${endpoint.location} ${endpoint.url}`,
              below: "/endpoints",
            },
          ];
    }),
};
