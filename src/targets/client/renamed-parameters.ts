import type { Method } from "../../model/ir.js";
import { renamedProperties } from "../shared/parameter-names.js";

/**
 * Returns a map from property name to the name in requests, for renamed
 * parameters of a method and for renamed common parameters.
 */
export function renamedParameters(
  method: Method,
  common: ReadonlyMap<string, string>,
): Record<string, string> {
  const renamed = [...common, ...renamedProperties(method.parameters)];
  return Object.fromEntries(
    renamed.map(([wire, property]) => [property, wire]),
  );
}
