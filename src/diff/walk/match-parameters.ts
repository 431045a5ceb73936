import type { Api, Method, Parameter } from "../../model/ir.js";
import type { ParameterPair } from "../rule.js";
import { renamedVariables } from "./paths.js";

/**
 * Pairs the parameters and request headers of two methods. Path variables are
 * matched by position. A parameter that is declared by only one of the methods
 * is matched with the API's common parameter in the other document.
 */
export function matchParameters(
  old: Method,
  now: Method,
  apis: { readonly old: Api; readonly new: Api },
): readonly ParameterPair[] {
  const renamed = renamedVariables(old, now);
  const before = [...old.parameters, ...(old.headers ?? [])];
  const after = new Map(
    [...now.parameters, ...(now.headers ?? [])].map((one) => [one.name, one]),
  );
  const pairs: ParameterPair[] = before.map((parameter) => {
    const name = renamed.get(parameter.name) ?? parameter.name;
    const partner = after.get(name) ?? commonOf(apis.new, name);
    after.delete(name);
    return { old: parameter, new: partner };
  });
  for (const parameter of after.values())
    pairs.push({ old: commonOf(apis.old, parameter.name), new: parameter });
  return pairs;
}

/** Pairs the parameters that all methods of an API have in common. */
export function matchCommonParameters(old: Api, now: Api): ParameterPair[] {
  return [
    ...old.parameters.map((one) => ({
      old: one,
      new: commonOf(now, one.name),
    })),
    ...now.parameters
      .filter(({ name }) => commonOf(old, name) === undefined)
      .map((one) => ({ old: undefined, new: one })),
  ];
}

function commonOf(api: Api, name: string): Parameter | undefined {
  return api.parameters.find((parameter) => parameter.name === name);
}
