import { isBinding } from "../../model/infer/field-flags.js";
import type { Parameter } from "../../model/ir.js";
import { rulesAbout } from "../rule.js";
import type { Side } from "../side.js";
import { quoted } from "../words.js";

const { added, removed, changed } = rulesAbout("parameter");

/** Rules about parameters of methods and common parameters. */
export const parameterRules = [
  added({
    id: "parameter-added",
    summary: "An optional parameter was added.",
    verdict: ["info", "info", "info"],
    find: (now, documents) =>
      !isRequired(now, documents.new) && "the parameter was added",
  }),
  added({
    id: "required-parameter-added",
    summary: "A required parameter was added.",
    reason:
      "For clients, the severity is `warning` if the parameter has a default, because servers can use the default when a client omits the parameter.",
    verdict: ["breaking", "info", "breaking"],
    find: (now, documents) => {
      if (!isRequired(now, documents.new)) return undefined;
      const text = "the required parameter was added";
      const preset = now.constraints.default;
      return preset === undefined
        ? text
        : {
            text: `${text}, with default ${quoted(preset)}`,
            verdict: { client: "warning" },
          };
    },
  }),
  removed({
    id: "parameter-removed",
    summary: "A parameter was removed.",
    verdict: ["breaking", "breaking", "breaking"],
    find: () => "the parameter was removed",
  }),
  changed({
    id: "parameter-required",
    summary: "An optional parameter became required.",
    reason:
      "For clients, the severity is `warning` if the parameter has a default, because servers can use the default when a client omits the parameter.",
    verdict: ["breaking", "info", "breaking"],
    below: "/required",
    find: (old, now, documents) =>
      !isRequired(old, documents.old) &&
      isRequired(now, documents.new) && {
        text: "the parameter became required",
        verdict:
          (now.constraints.default ?? old.constraints.default) === undefined
            ? undefined
            : { client: "warning" },
      },
  }),
  changed({
    id: "parameter-optional",
    summary: "A required parameter became optional.",
    reason:
      "Handlers can receive requests without the parameter, unless it has a default.",
    verdict: ["info", "breaking", "info"],
    below: "/required",
    find: (old, now, documents) =>
      isRequired(old, documents.old) &&
      !isRequired(now, documents.new) && {
        text: "the parameter became optional",
        verdict:
          now.constraints.default === undefined
            ? undefined
            : { server: "info" },
      },
  }),
  changed({
    id: "parameter-location-changed",
    summary: "A parameter moved between path and query.",
    verdict: ["breaking", "info", "info"],
    below: "/location",
    find: (old, now) =>
      old.location !== now.location && {
        text: `the parameter moved from ${old.location} to ${now.location}`,
        detail: now.location,
      },
  }),
  changed({
    id: "parameter-repeated",
    summary: "A parameter now accepts several values.",
    reason:
      "A single value is encoded as before, but the generated type is a list.",
    verdict: ["info", "breaking", "breaking"],
    below: "/repeated",
    find: (old, now) =>
      !old.repeated &&
      now.repeated &&
      "the parameter now accepts several values",
  }),
  changed({
    id: "parameter-not-repeated",
    summary: "A parameter no longer accepts several values.",
    verdict: ["breaking", "breaking", "breaking"],
    below: "/repeated",
    find: (old, now) =>
      old.repeated &&
      !now.repeated &&
      "the parameter no longer accepts several values",
  }),
  changed({
    id: "parameter-deprecated",
    kind: "deprecated",
    summary: "A parameter was deprecated.",
    verdict: ["warning", "info", "info"],
    below: "/deprecated",
    find: (old, now) =>
      old.flags.deprecated === undefined &&
      now.flags.deprecated !== undefined &&
      "the parameter was deprecated",
  }),
  changed({
    id: "parameter-undeprecated",
    summary: "The deprecation of a parameter was removed.",
    verdict: ["info", "info", "info"],
    find: (old, now) =>
      old.flags.deprecated !== undefined &&
      now.flags.deprecated === undefined &&
      "the parameter is no longer deprecated",
  }),
];

function isRequired({ flags }: Parameter, { trustProse }: Side): boolean {
  return isBinding(flags.required, trustProse);
}
