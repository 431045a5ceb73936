import { orderedKeys } from "../../load/canonical.js";
import type { RawMethod } from "../../load/raw.js";
import type { Mutable, Parameter, PathToken } from "../ir.js";
import { variablesOf } from "../uri-template.js";
import { child, type DocumentPath, type BuildContext } from "./context.js";
import { buildParameter } from "./parameter.js";

/**
 * Builds the parameters of a method: first the declared parameters in the order
 * of the document, then undeclared path variables.
 */
export function buildParameters(
  id: string,
  raw: RawMethod,
  tokens: readonly PathToken[],
  at: DocumentPath,
  context: BuildContext,
): Mutable<Parameter>[] {
  const declared = raw.parameters ?? {};
  const names = orderedKeys(declared, raw.parameterOrder);
  const parameters = names.map((name) =>
    buildParameter(
      id,
      name,
      declared[name]!,
      child(at, "parameters", name),
      context,
    ),
  );
  applyPathVariables(id, parameters, tokens, at, context);
  const byName = new Map(
    parameters.map((parameter) => [parameter.name, parameter]),
  );
  for (const [index, name] of (raw.parameterOrder ?? []).entries()) {
    const parameter = byName.get(name);
    if (parameter !== undefined)
      parameter.flags = { ...parameter.flags, required: { from: "document" } };
    else
      context.report(
        "parameter-undeclared",
        `${id}: parameterOrder contains ${JSON.stringify(name)}, which is not declared`,
        child(at, "parameterOrder", index),
      );
  }
  return parameters;
}

/**
 * Converts each parameter that is named like a path variable to a required path
 * parameter, even if the document declares it differently.
 */
function applyPathVariables(
  id: string,
  parameters: Mutable<Parameter>[],
  tokens: readonly PathToken[],
  at: DocumentPath,
  context: BuildContext,
): void {
  const variables = variablesOf(tokens);
  addUndeclared(id, parameters, variables, at, context);
  for (const parameter of parameters) {
    const { name, location, flags } = parameter;
    if (variables.path.includes(name)) {
      if (location !== "path")
        reportLocation(
          id,
          name,
          "query, but the path contains it",
          at,
          context,
        );
      parameter.location = "path";
      if (flags.required?.from !== "document")
        parameter.flags = { ...flags, required: { from: "rule" } };
    } else if (location === "path") {
      if (!variables.query.includes(name))
        reportLocation(
          id,
          name,
          "path, but the path does not contain it",
          at,
          context,
        );
      parameter.location = "query";
    }
  }
}

/** Adds a parameter for each path variable that is not declared. */
function addUndeclared(
  id: string,
  parameters: Mutable<Parameter>[],
  variables: ReturnType<typeof variablesOf>,
  at: DocumentPath,
  context: BuildContext,
): void {
  for (const location of ["path", "query"] as const) {
    for (const name of variables[location]) {
      if (parameters.some((parameter) => parameter.name === name)) continue;
      context.report(
        "parameter-undeclared",
        `${id}: the path contains the variable ${JSON.stringify(name)}, which is not declared`,
        child(at, "path"),
      );
      parameters.push(undeclaredParameter(name, location));
    }
  }
}

function reportLocation(
  id: string,
  name: string,
  mismatch: string,
  at: DocumentPath,
  context: BuildContext,
): void {
  context.report(
    "parameter-location",
    `${id}: ${name} has location ${mismatch}`,
    child(at, "parameters", name),
  );
}

function undeclaredParameter(
  name: string,
  location: Parameter["location"],
): Mutable<Parameter> {
  return {
    name,
    location,
    schema: { kind: "scalar", type: "string" },
    repeated: false,
    flags: { required: { from: "rule" } },
    constraints: {},
  };
}

/**
 * Copies the pattern of each path parameter to the path variable of the same
 * name. The patterns are needed to distinguish routes.
 */
export function withPatterns(
  tokens: readonly PathToken[],
  parameters: readonly Parameter[],
): PathToken[] {
  const patterns = new Map(
    parameters.map((parameter) => [
      parameter.name,
      parameter.constraints.pattern,
    ]),
  );
  return tokens.map((token) => {
    const pattern = "name" in token ? patterns.get(token.name) : undefined;
    return pattern === undefined ? token : { ...token, pattern };
  });
}
