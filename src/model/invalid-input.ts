import type { Api, Method } from "./ir.js";

/**
 * Returns the status of a request that fails validation, unless it is 400:
 * 422, if that status is described (`x-errors`) with a body that lists errors.
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

/** A template's list has one element, which is repeated for each error. */
function hasList(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 1;
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).some(hasList)
  );
}
