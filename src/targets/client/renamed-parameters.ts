import type { Method } from "../../model/ir.js";
import { renamedProperties } from "../shared/parameter-names.js";

/**
 * Returns the names in requests of renamed parameters by property name,
 * including common parameters.
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
