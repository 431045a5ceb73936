import { child } from "../../model/build/context.js";
import { quoted, type Rule } from "../rule.js";

/** Rules about the ids, names and revisions of APIs. */
export const identityRules: readonly Rule[] = [
  {
    id: "method-id-missing",
    severity: "warning",
    cause:
      "The method has no id. Logs, batches and changelogs identify methods by their ids.",
    fix: "Set id to the API name, the resource names and the method name, joined with dots.",
    check({ methods }, report) {
      for (const { id, raw, at } of methods)
        if (raw.id === undefined) report(`${id} has no id`, at);
    },
  },
  {
    id: "method-id-mismatch",
    severity: "info",
    cause:
      "The id of the method differs from the API name, the resource names and the method name, joined with dots, so generated code and logs use different names.",
    fix: "Rename the resource or method, or correct the id. Changing an id or a name breaks clients.",
    check({ methods, document }, report) {
      for (const { raw, resources, name, at } of methods) {
        const expected = [document.name, ...resources, name].join(".");
        if (raw.id !== undefined && raw.id !== expected)
          report(
            `id must be ${quoted(expected)}, found ${quoted(raw.id)}`,
            child(at, "id"),
          );
      }
    },
  },
  {
    id: "revision-format",
    severity: "info",
    cause:
      "The revision is not a date, so tools can't determine which of two documents is newer.",
    fix: "Set revision to the date of the change, as YYYYMMDD.",
    check({ document: { revision } }, report) {
      if (revision !== undefined && !isDate(revision))
        report(
          `revision must be a date such as "20260131", found ${quoted(revision)}`,
          child(undefined, "revision"),
        );
    },
  },
  {
    id: "schema-id-missing",
    severity: "info",
    cause:
      "The schema has no id; the format requires an id that is equal to the schema's key.",
    fix: "Add the field id with the schema's key as its value.",
    check({ schemas }, report) {
      for (const { kind, name, raw, at } of schemas)
        if (kind === "schema" && raw.id === undefined)
          report(`schema ${name} has no id`, at);
    },
  },
];

/** Tests whether a string is a valid calendar date in the form YYYYMMDD. */
function isDate(text: string): boolean {
  const match = /^(\d{4})(\d\d)(\d\d)$/.exec(text);
  if (match === null) return false;
  const iso = match.slice(1).join("-");
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso);
}
