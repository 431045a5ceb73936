import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";

export const rootUrlChanged: Rule<"api"> = {
  id: "root-url-changed",
  on: "api",
  kind: "changed",
  summary: "The `rootUrl` of the document changed.",
  reason: "Deployed clients send requests to the old host.",
  verdict: ["breaking", "info", "info"],
  find: ({ old, new: now }) =>
    old.rootUrl !== now.rootUrl && {
      text: `rootUrl changed from ${quoted(old.rootUrl)} to ${quoted(now.rootUrl)}`,
      detail: now.rootUrl,
      below: "/rootUrl",
    },
};
