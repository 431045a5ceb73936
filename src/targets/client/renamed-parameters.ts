import type { Api, Method } from "../../model/ir.js";
import { renamedProperties } from "../shared/parameter-names.js";

/**
 * Names that the client runtime rejects among the query parameters of a method
 * that does not declare them.
 */
const MISPLACED_NAMES = ["auth", "headers", "resource"];

/**
 * Returns a map from property name to the name in requests, for renamed
 * parameters of a method and for renamed common parameters, and for declared
 * query parameters whose names the runtime rejects otherwise.
 */
export function renamedParameters(
  method: Method,
  api: Api,
  common: ReadonlyMap<string, string>,
): Record<string, string> {
  const declared = [...api.parameters, ...method.parameters]
    .filter(({ location }) => location === "query")
    .map(({ name }) => name)
    .filter((name) => MISPLACED_NAMES.includes(name));
  const renamed = [...common, ...renamedProperties(method.parameters)];
  return Object.fromEntries([
    ...declared.map((name) => [name, name] as const),
    ...renamed.map(([wire, property]) => [property, wire] as const),
  ]);
}
