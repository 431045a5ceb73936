import type { Api, Method } from "../../model/ir.js";
import {
  methodsOf,
  objectFields,
  type Definitions,
} from "../../model/queries.js";
import { child } from "../../model/build/context.js";
import type { Rule } from "../rule.js";

/** Rules about methods that return lists in pages. */
export const pagingRules: readonly Rule[] = [
  {
    id: "paging-incomplete",
    severity: "warning",
    cause:
      "A paged method must declare the string parameter pageToken and the string property nextPageToken of its response; without both, callers can't get the next page.",
    fix: "Add the missing parameter or property.",
    check({ api, methods }, report) {
      const byPointer = methodsByNames(api);
      const definitions = new Map(
        api.definitions.map((definition) => [definition.id, definition]),
      );
      for (const { id, raw, at, resources, name } of methods) {
        const method = byPointer.get(JSON.stringify([...resources, name]));
        // A response without a schema is skipped, because its content can
        // contain a token.
        if (method === undefined || method.response === undefined) continue;
        if (method.paging !== undefined || method.links !== undefined) continue;
        // Methods that watch a list are skipped: they have the parameters of
        // the list method, but return a notification channel.
        if (method.supportsSubscription === true) continue;
        const hasToken = "pageToken" in (raw.parameters ?? {});
        const hasNext = objectFields(method.response, definitions).some(
          ({ name: field }) => field === "nextPageToken",
        );
        if (hasToken && !hasNext)
          report(
            `${id} has the parameter pageToken, but its response has no nextPageToken`,
            child(at, "response"),
          );
        if (hasNext && !hasToken && !hasBodyToken(method, definitions))
          report(
            `the response of ${id} has nextPageToken, but the method has no parameter pageToken`,
            child(at, "response"),
          );
      }
    },
  },
];

/**
 * Returns a map from resource and method names to methods. The key is a JSON
 * array with the names of the resources and of the method.
 */
function methodsByNames(api: Api): ReadonlyMap<string, Method> {
  return new Map(
    methodsOf(api.root).map((method) => [
      JSON.stringify(namesIn(method.pointer)),
      method,
    ]),
  );
}

/**
 * Returns the names in a pointer such as `/resources/a/methods/b`, that is,
 * every second token.
 */
function namesIn(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .filter((_, index) => index % 2 === 1)
    .map((token) => token.replace(/~1/g, "/").replace(/~0/g, "~"));
}

function hasBodyToken(method: Method, definitions: Definitions): boolean {
  return objectFields(method.request, definitions).some(({ name }) =>
    /token$/i.test(name),
  );
}
