import { isAlwaysPresent, isBinding } from "../../model/infer/field-flags.js";
import type { Field } from "../../model/ir.js";
import { rulesAbout } from "../rule.js";
import type { Side } from "../side.js";

const { added, removed, changed } = rulesAbout("property");

/** Rules about properties of schemas. */
export const propertyRules = [
  added({
    id: "property-added",
    summary: "An optional property was added.",
    verdict: ["info", "info", "info"],
    find: (now, documents) =>
      !isRequired(now, documents.new) && "the property was added",
  }),
  added({
    id: "required-property-added",
    summary: "A required property was added.",
    reason:
      "The generated type also requires the property in responses, so code that creates responses, such as tests, must set it. A default has no effect in bodies.",
    verdict: {
      request: ["breaking", "info", "breaking"],
      response: ["info", "breaking", "warning"],
      patch: ["info", "info", "warning"],
    },
    find: (now, documents) =>
      isRequired(now, documents.new) && "the required property was added",
  }),
  removed({
    id: "property-removed",
    summary: "A property was removed.",
    verdict: ["breaking", "breaking", "breaking"],
    find: () => "the property was removed",
  }),
  changed({
    id: "property-required",
    summary: "An optional property became required.",
    reason:
      "The generated type also requires the property in responses, so code that creates responses, such as tests, must set it.",
    verdict: {
      request: ["breaking", "info", "breaking"],
      response: ["info", "breaking", "warning"],
      patch: ["info", "info", "warning"],
    },
    below: "/required",
    find: (old, now, documents) =>
      !isRequired(old, documents.old) &&
      isRequired(now, documents.new) &&
      "the property became required",
  }),
  changed({
    id: "property-optional",
    summary: "A required property became optional.",
    verdict: {
      request: ["info", "breaking", "info"],
      response: ["breaking", "info", "breaking"],
    },
    below: "/required",
    find: (old, now, documents) =>
      isRequired(old, documents.old) &&
      !isRequired(now, documents.new) &&
      "the property became optional",
  }),
  changed({
    id: "property-read-only",
    summary: "A property became read-only.",
    reason: "Requests can no longer contain the property.",
    verdict: {
      request: ["breaking", "breaking", "breaking"],
      response: ["info", "info", "warning"],
    },
    below: "/readOnly",
    find: (old, now, documents) =>
      !isReadOnly(old, documents.old) &&
      isReadOnly(now, documents.new) &&
      "the property became read-only",
  }),
  changed({
    id: "property-writable",
    summary: "The flag `readOnly` of a property was removed.",
    verdict: ["info", "info", "info"],
    below: "/readOnly",
    find: (old, now, documents) =>
      isReadOnly(old, documents.old) &&
      !isReadOnly(now, documents.new) &&
      "the property is no longer read-only",
  }),
  changed({
    id: "property-deprecated",
    kind: "deprecated",
    summary: "A property was deprecated.",
    verdict: ["warning", "info", "info"],
    below: "/deprecated",
    find: (old, now) =>
      old.flags.deprecated === undefined &&
      now.flags.deprecated !== undefined &&
      "the property was deprecated",
  }),
  changed({
    id: "property-undeprecated",
    summary: "The deprecation of a property was removed.",
    verdict: ["info", "info", "info"],
    find: (old, now) =>
      old.flags.deprecated !== undefined &&
      now.flags.deprecated === undefined &&
      "the property is no longer deprecated",
  }),
];

function isRequired({ flags }: Field, { trustProse }: Side): boolean {
  return isAlwaysPresent(flags, trustProse);
}

function isReadOnly({ flags }: Field, { trustProse }: Side): boolean {
  return isBinding(flags.readOnly, trustProse);
}
