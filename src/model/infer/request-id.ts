import type { Method, Parameter } from "../ir.js";

/**
 * Returns the query parameter `requestId` of a method, by which the server
 * recognises a repeated request (AIP-155). The parameter is a string without
 * format that the caller can omit. Methods that only read have none.
 */
export function requestIdParameter({
  httpMethod,
  parameters,
}: Pick<Method, "httpMethod" | "parameters">): Parameter | undefined {
  if (/^(GET|HEAD)$/.test(httpMethod)) return undefined;
  return parameters.find(
    ({ name, location, repeated, schema, flags }) =>
      name === "requestId" &&
      location === "query" &&
      !repeated &&
      flags.required === undefined &&
      schema.kind === "scalar" &&
      schema.type === "string" &&
      schema.format === undefined,
  );
}
