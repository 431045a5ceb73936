import { sortedKeys } from "../../../load/canonical.js";
import type { Rule } from "../../rule.js";
import { isSameJson } from "../../walk/same-json.js";

/**
 * Fields that this rule ignores, such as `etag` and fields that other rules
 * compare.
 */
const COVERED = new Set(
  "auth basePath baseUrl batchPath canonicalName description documentationLink endpoints etag features fullyEncodeReservedExpansion id kind labels methods name parameters resources restBasePath revision rootUrl schemas servicePath title version".split(
    " ",
  ),
);

/** Extensions (`x-` fields) that affect requests or responses. */
const EFFECTIVE = /^x-(?:credential|errors|headers|response-headers)$/;

export const documentFieldChanged: Rule<"api"> = {
  id: "document-field-changed",
  on: "api",
  kind: "text",
  summary: "A document field without its own rule changed.",
  reason:
    "The severity is `warning` if the field is an extension that affects requests or responses.",
  verdict: ["info", "info", "info"],
  find(_, documents) {
    const [before, after] = [documents.old, documents.new].map(
      ({ document }) => document as Readonly<Record<string, unknown>>,
    );
    return sortedKeys({ ...before, ...after })
      .filter((name) => !COVERED.has(name))
      .filter((name) => !isSameJson(before![name], after![name]))
      .map((name) => ({
        text: `${name} changed`,
        detail: name,
        below: `/${name.replace(/~/g, "~0").replace(/\//g, "~1")}`,
        verdict: EFFECTIVE.test(name)
          ? { client: "warning", server: "warning" }
          : undefined,
      }));
  },
};
