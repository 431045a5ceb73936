import type { Api, Method } from "./ir.js";

/**
 * Returns 422 if servers use this status for requests that fail validation;
 * undefined if they use 400. Servers use 422 if `x-errors` has a rule for this
 * status whose template contains a list of errors.
 */
export function invalidInputStatus(method: Method, api: Api): 422 | undefined {
  const rules = [...(method.errors ?? []), ...(api.errors ?? [])];
  const bodyOf = (status: string): unknown =>
    rules.find((rule) => rule.status === status && rule.body !== undefined)
      ?.body;
  const isDescribed = rules.some(({ status }) => status === "422");
  return isDescribed && hasList(bodyOf("422") ?? bodyOf("default"))
    ? 422
    : undefined;
}

/**
 * Tests whether an error template contains a list with exactly one element.
 * Servers repeat this element for each error.
 */
function hasList(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 1;
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).some(hasList)
  );
}
