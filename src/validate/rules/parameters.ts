import { child } from "../../model/build/context.js";
import { parseTemplate, variablesOf } from "../../model/uri-template.js";
import type { DocumentView, MethodNode, SchemaNode } from "../document-view.js";
import { listed, type Rule } from "../rule.js";

/** Rules about parameters and their order. */
export const parameterRules: readonly Rule[] = [
  {
    id: "parameter-order-duplicate",
    severity: "warning",
    cause: "parameterOrder lists a parameter twice.",
    fix: "List each parameter once.",
    check({ methods }, report) {
      for (const { id, raw, at } of methods) {
        const seen = new Set<string>();
        for (const [index, name] of (raw.parameterOrder ?? []).entries()) {
          if (seen.has(name))
            report(
              `${id}: parameterOrder lists ${name} twice`,
              child(at, "parameterOrder", index),
            );
          seen.add(name);
        }
      }
    },
  },
  {
    id: "parameter-order-optional",
    severity: "warning",
    cause:
      "parameterOrder lists a parameter that is not required; clients with positional arguments, and this generator, make it required.",
    fix: "Set required to true, or remove the name from parameterOrder.",
    check({ methods }, report) {
      for (const { id, raw, at } of methods) {
        const variables = pathVariables(raw.path);
        for (const [index, name] of (raw.parameterOrder ?? []).entries()) {
          const parameter = memberOf(raw.parameters, name);
          const isOptional =
            parameter !== undefined && parameter.required !== true;
          if (isOptional && !variables.has(name))
            report(
              `${id}: parameterOrder lists ${name}, which is optional`,
              child(at, "parameterOrder", index),
            );
        }
      }
    },
  },
  {
    id: "parameter-order-incomplete",
    severity: "info",
    cause:
      "parameterOrder must list all required parameters; clients with positional arguments can't send a parameter that is not listed.",
    fix: "Add the required parameters to parameterOrder.",
    check({ methods }, report) {
      for (const { id, raw, at } of methods) {
        const order = new Set(raw.parameterOrder);
        const missing = Object.entries(raw.parameters ?? {})
          .filter(
            ([name, { required }]) => required === true && !order.has(name),
          )
          .map(([name]) => name);
        if (missing.length > 0)
          report(
            `${id}: parameterOrder does not list the required parameters ${listed(missing)}`,
            child(at, "parameterOrder"),
          );
      }
    },
  },
  {
    id: "path-parameter-optional",
    severity: "warning",
    cause:
      "The parameter is part of the path but is not required; without a value, the path of the request is different.",
    fix: "Set required to true.",
    check(view, report) {
      for (const { label, raw, at } of pathParameters(view))
        if (raw.required !== true) report(`${label} is not required`, at);
    },
  },
  {
    id: "path-parameter-repeated",
    severity: "warning",
    cause:
      "The parameter is part of the path and can have several values, but the format does not define how they are separated.",
    fix: "Remove the field repeated, or use a query parameter.",
    check(view, report) {
      for (const { label, raw, at } of pathParameters(view))
        if (raw.repeated === true)
          report(`${label} is repeated`, child(at, "repeated"));
    },
  },
  {
    id: "parameter-required-default",
    severity: "info",
    cause: "The parameter is required, so its default is never used.",
    fix: "Remove either default or required.",
    check({ parameters }, report) {
      for (const { label, raw, at } of parameters)
        if (
          raw.required === true &&
          raw.default !== undefined &&
          raw.default !== null
        )
          report(
            `${label} is required and has a default`,
            child(at, "default"),
          );
    },
  },
];

/** Returns the parameters that are variables in their method's path. */
function pathParameters({ parameters }: DocumentView): SchemaNode[] {
  const variables = new Map<MethodNode, ReadonlySet<string>>();
  return parameters.filter(({ method, name }) => {
    if (method === undefined) return false;
    const known = variables.get(method) ?? pathVariables(method.raw.path);
    variables.set(method, known);
    return known.has(name);
  });
}

function pathVariables(path: string | undefined): ReadonlySet<string> {
  return new Set(
    path === undefined ? [] : variablesOf(parseTemplate(path).tokens).path,
  );
}

function memberOf<T>(
  members: Readonly<Record<string, T>> | undefined,
  name: string,
): T | undefined {
  return members !== undefined && Object.hasOwn(members, name)
    ? members[name]
    : undefined;
}
