import { missingItems, rulesAbout } from "../rule.js";
import { quoted } from "../words.js";

const { changed } = rulesAbout("enum");

export const enumRules = [
  changed({
    id: "enum-value-removed",
    kind: "removed",
    summary: "An enum value was removed.",
    reason:
      "Generated enums are open, so code that compares with the value compiles but never matches. Only the type of the parameter `alt` is closed, so the removal of its values is `breaking`. Handlers must no longer return the value.",
    verdict: {
      request: ["breaking", "warning", "warning"],
      response: ["info", "breaking", "warning"],
    },
    below: "/enum",
    find: (old, now) =>
      missingItems(old.values, now.values, ({ value }) => value).map(
        ({ value }) => ({
          text: `the value ${quoted(value)} was removed`,
          detail: value,
          verdict: old.isClosedType ? { types: "breaking" } : undefined,
        }),
      ),
  }),
  changed({
    id: "enum-value-added",
    kind: "added",
    summary: "An enum value was added.",
    reason:
      "Generated enums are open: code with a `switch` compiles, but can receive the new value.",
    verdict: {
      request: ["info", "warning", "info"],
      response: ["warning", "info", "info"],
    },
    below: "/enum",
    find: (old, now) =>
      missingItems(now.values, old.values, ({ value }) => value).map(
        ({ value }) => ({
          text: `the value ${quoted(value)} was added`,
          detail: value,
        }),
      ),
  }),
  changed({
    id: "enum-value-deprecated",
    kind: "deprecated",
    summary: "An enum value was deprecated.",
    verdict: ["warning", "info", "info"],
    below: "/enumDeprecated",
    find: (old, now) =>
      now.values
        .filter(
          ({ value, deprecated }) =>
            deprecated === true &&
            old.values.some(
              (before) => before.value === value && before.deprecated !== true,
            ),
        )
        .map(({ value }) => ({
          text: `the value ${quoted(value)} was deprecated`,
          detail: value,
        })),
  }),
  changed({
    id: "enum-closed",
    summary:
      "An enum no longer allows values that are not listed (`x-open-enum`).",
    verdict: {
      request: ["breaking", "info", "info"],
      response: ["info", "warning", "info"],
    },
    find: (old, now) =>
      old.isOpen &&
      !now.isOpen &&
      "values that are not listed are no longer allowed",
  }),
  changed({
    id: "enum-opened",
    summary: "An enum now allows values that are not listed (`x-open-enum`).",
    verdict: {
      request: ["info", "warning", "info"],
      response: ["warning", "info", "info"],
    },
    find: (old, now) =>
      !old.isOpen && now.isOpen && "values that are not listed are now allowed",
  }),
];
