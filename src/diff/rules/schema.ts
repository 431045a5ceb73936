import { missingItems, rulesAbout } from "../rule.js";
import { type Options, optionsOf } from "../walk/match-options.js";
import { quoted } from "../words.js";

const { added, removed, changed } = rulesAbout("schema");

/** Rules about schemas, without their properties. */
export const schemaRules = [
  added({
    id: "schema-added",
    summary: "A schema was added.",
    verdict: ["info", "info", "info"],
    find: () => "the schema was added",
  }),
  removed({
    id: "schema-removed",
    summary: "A schema was removed.",
    reason:
      "Imports of the generated type fail. Effects on requests and responses are reported for the values that used the schema.",
    verdict: ["info", "info", "breaking"],
    find: () => "the schema was removed",
  }),
  changed({
    id: "schema-renamed",
    summary:
      "The id of a schema changed, or an inline schema became a named schema.",
    reason:
      "Ids of schemas are not part of requests and responses, but code imports the generated types by name.",
    verdict: ["info", "info", "breaking"],
    find: (old, now, documents) =>
      old.id !== now.id &&
      !documents.new.definitions.has(old.id) && {
        text: `the schema was renamed to ${quoted(now.id)}`,
        detail: now.id,
      },
  }),
  changed({
    id: "type-name-changed",
    summary:
      "The generated type of a schema was renamed, because its name conflicts with another name.",
    reason:
      "For types, the severity is `info` if the old name is still the type of an equal enum.",
    verdict: ["info", "info", "breaking"],
    find: (old, now, { old: { names }, new: side }) => {
      const before = names.types.get(old.id);
      const after = side.names.types.get(now.id);
      if (old.id !== now.id || before === after) return undefined;
      const isStillEnum =
        old.body.kind === "enum" &&
        side.api.definitions.some(
          ({ id, body }) =>
            body.kind === "enum" && side.names.types.get(id) === before,
        );
      return {
        text: `the type was renamed from ${before} to ${after}`,
        detail: after,
        verdict: isStillEnum ? { types: "info" } : undefined,
      };
    },
  }),
  changed({
    id: "input-type-removed",
    kind: "removed",
    summary: "The separate request type of a schema was removed.",
    reason:
      "The schema has no read-only properties, or requests no longer use it.",
    verdict: ["info", "info", "breaking"],
    find: (old, now, documents) => {
      const before = documents.old.names.inputs.get(old.id);
      return (
        old.id === now.id &&
        before !== undefined &&
        !documents.new.names.inputs.has(now.id) && {
          text: `the type ${before} was removed`,
          detail: before,
        }
      );
    },
  }),
  changed({
    id: "undeclared-properties-allowed",
    summary: "An object can now have properties that are not declared.",
    verdict: {
      request: ["info", "warning", "info"],
      response: ["warning", "info", "warning"],
    },
    below: "/additionalProperties",
    find: ({ body: old }, { body: now }) =>
      old.kind === "object" &&
      now.kind === "object" &&
      old.additional === undefined &&
      now.additional !== undefined &&
      "undeclared properties are now allowed",
  }),
  changed({
    id: "undeclared-properties-removed",
    summary: "An object can no longer have properties that are not declared.",
    verdict: {
      request: ["breaking", "info", "breaking"],
      response: ["info", "breaking", "breaking"],
    },
    below: "/additionalProperties",
    find: ({ body: old }, { body: now }) =>
      old.kind === "object" &&
      now.kind === "object" &&
      old.additional !== undefined &&
      now.additional === undefined &&
      "undeclared properties are no longer allowed",
  }),
  changed({
    id: "variant-option-removed",
    kind: "removed",
    summary: "A schema was removed from the options of a variant.",
    verdict: {
      request: ["breaking", "info", "breaking"],
      response: ["info", "breaking", "breaking"],
    },
    below: "/variant",
    find: ({ body: old }, { body: now }) =>
      old.kind === "variant" &&
      now.kind === "variant" &&
      missingItems(old.options, now.options, ({ value }) => value).map(
        ({ value }) => ({
          text: `the option ${quoted(value)} was removed`,
          detail: value,
        }),
      ),
  }),
  changed({
    id: "variant-option-added",
    kind: "added",
    summary: "A schema was added to the options of a variant.",
    verdict: {
      request: ["info", "warning", "info"],
      response: ["warning", "info", "warning"],
    },
    below: "/variant",
    find: ({ body: old }, { body: now }) =>
      old.kind === "variant" &&
      now.kind === "variant" &&
      missingItems(now.options, old.options, ({ value }) => value).map(
        ({ value }) => ({
          text: `the option ${quoted(value)} was added`,
          detail: value,
        }),
      ),
  }),
  changed({
    id: "discriminant-changed",
    summary: "A different property now selects the schema of a variant.",
    verdict: ["breaking", "breaking", "breaking"],
    below: "/variant/discriminant",
    find: ({ body: old }, { body: now }) =>
      old.kind === "variant" &&
      now.kind === "variant" &&
      old.discriminant !== now.discriminant && {
        text: `the discriminant changed from ${quoted(old.discriminant)} to ${quoted(now.discriminant)}`,
        detail: now.discriminant,
      },
  }),
  changed({
    id: "alternative-removed",
    kind: "removed",
    summary: "An alternative of a value was removed (`x-one-of`).",
    verdict: {
      request: ["breaking", "info", "breaking"],
      response: ["info", "breaking", "info"],
    },
    below: "/x-one-of",
    find: ({ body: old }, { body: now }, documents) =>
      old.kind === "union" &&
      now.kind === "union" &&
      missingKeys(
        optionsOf(old, documents.old.definitions),
        optionsOf(now, documents.new.definitions),
      ).map((key) => ({
        text: `the alternative ${quoted(key)} was removed`,
        detail: key,
      })),
  }),
  changed({
    id: "alternative-added",
    kind: "added",
    summary: "An alternative was added to a value (`x-one-of`).",
    verdict: {
      request: ["info", "breaking", "info"],
      response: ["breaking", "info", "breaking"],
    },
    below: "/x-one-of",
    find: ({ body: old }, { body: now }, documents) =>
      old.kind === "union" &&
      now.kind === "union" &&
      missingKeys(
        optionsOf(now, documents.new.definitions),
        optionsOf(old, documents.old.definitions),
      ).map((key) => ({
        text: `the alternative ${quoted(key)} was added`,
        detail: key,
      })),
  }),
  changed({
    id: "schema-deprecated",
    kind: "deprecated",
    summary: "A schema was deprecated.",
    verdict: ["warning", "info", "info"],
    below: "/deprecated",
    find: (old, now) =>
      old.deprecated !== true &&
      now.deprecated === true &&
      "the schema was deprecated",
  }),
];

function missingKeys(from: Options, other: Options): string[] {
  return missingItems([...from.keys()], [...other.keys()]);
}
