import { formatCount } from "../../diagnostics/format-count.js";
import { tokensOf } from "../../diagnostics/types.js";
import { child } from "../../model/build/context.js";
import type { Api, ErrorRule, Method } from "../../model/ir.js";
import { forEachRef, methodsOf, reachable } from "../../model/queries.js";
import { alternativesOf, overlapOf } from "../../model/unions.js";
import { listed, quoted, type Rule } from "../rule.js";

/** Rules about schemas and their properties. */
export const schemaRules: readonly Rule[] = [
  {
    id: "schema-unreachable",
    severity: "info",
    cause:
      "Some schemas are used by no method, neither directly nor through other schemas, and no description mentions them; reported once for each document.",
    fix: "Remove the schemas. If they describe values of type any, such as metadata of operations, mention them in the description of the value.",
    check({ api, methods, schemas }, report) {
      // In a document without methods, all schemas are unused, so nothing is
      // reported.
      if (methods.length === 0) return;
      const roots = schemas.filter(({ kind }) => kind === "schema");
      const words = new Set(
        [...methods, ...schemas].flatMap(
          ({ raw }) => raw.description?.match(/\w+/g) ?? [],
        ),
      );
      const named = roots.filter(({ name }) => words.has(name));
      const used = usedDefinitions(
        api,
        named.map(({ name }) => name),
      );
      const unused = roots.filter(({ name }) => !used.has(name));
      if (unused.length > 0)
        report(
          `not used by any method: ${unused.length} of ${formatCount(roots.length, "schema")} ${listed(unused.map(({ name }) => name))}`,
          unused[0]!.at,
        );
    },
  },
  {
    id: "required-method-unknown",
    severity: "warning",
    cause:
      "annotations.required, which lists the methods that require the property, contains an id that no method has; reported once for each id.",
    fix: "Correct the id in annotations.required.",
    check({ schemas, methods }, report) {
      const ids = new Set(methods.map(({ id }) => id));
      for (const { label, raw, at } of schemas)
        for (const [index, id] of (raw.annotations?.required ?? []).entries()) {
          if (ids.has(id)) continue;
          ids.add(id);
          report(
            `${label}: annotations.required lists ${quoted(id)}, which is not a method`,
            child(at, "annotations", "required", index),
          );
        }
    },
  },
  {
    id: "required-read-only",
    severity: "info",
    cause:
      "The property is required in requests, but also read-only, so only the server can set it.",
    fix: "Remove readOnly or annotations.required.",
    check({ schemas }, report) {
      for (const { label, raw, at } of schemas)
        if (
          raw.readOnly === true &&
          (raw.annotations?.required ?? []).length > 0
        )
          report(
            `${label} is both read-only and required`,
            child(at, "readOnly"),
          );
    },
  },
  {
    id: "alternatives-overlap",
    severity: "warning",
    cause:
      "A value can match two alternatives of x-one-of. Validators use the first alternative without errors, and messages about invalid values can't name the wrong property.",
    fix: "Use alternatives of different types. For objects, declare a property in all alternatives that lists different values (enum) and is in x-required.",
    check({ api }, report) {
      const definitions = new Map(
        api.definitions.map((definition) => [definition.id, definition]),
      );
      for (const { id, body, pointer } of api.definitions) {
        if (body.kind !== "union") continue;
        const overlap = overlapOf(alternativesOf(body, definitions), false);
        if (overlap === undefined) continue;
        const [first, second] = overlap;
        report(
          `${id}: the alternatives ${first + 1} and ${second + 1} can have a common value`,
          child(undefined, ...tokensOf(pointer), "x-one-of", second),
        );
      }
    },
  },
  {
    id: "variant-property-missing",
    severity: "warning",
    cause:
      "A schema of the variant does not declare the discriminant, the property that selects the schema of a value.",
    fix: "Declare the discriminant as a string property in each schema of the variant.",
    check({ schemas, document }, report) {
      for (const { label, raw, at } of schemas) {
        if (raw.variant === undefined) continue;
        const { discriminant = "type", map = [] } = raw.variant;
        if (Object.hasOwn(raw.properties ?? {}, discriminant)) continue;
        for (const [index, { $ref = "" }] of map.entries()) {
          const target = Object.hasOwn(document.schemas ?? {}, $ref)
            ? document.schemas![$ref]
            : undefined;
          if (typeof target !== "object" || target.properties === undefined)
            continue;
          if (!Object.hasOwn(target.properties, discriminant))
            report(
              `${label}: ${$ref} does not declare the discriminant ${discriminant}`,
              child(at, "variant", "map", index),
            );
        }
      }
    },
  },
];

/**
 * Returns the ids of the definitions to which requests, responses or the given
 * definitions refer.
 */
function usedDefinitions(
  api: Api,
  named: readonly string[],
): ReadonlySet<string> {
  const used = new Set(named);
  const add = (id: string): void => void used.add(id);
  for (const { schema } of [...api.parameters, ...(api.responseHeaders ?? [])])
    forEachRef(schema, add);
  addErrors(api.errors, used);
  for (const method of methodsOf(api.root)) addMethod(method, used);
  const definitions = new Map(
    api.definitions.map((definition) => [definition.id, definition]),
  );
  return reachable(used, definitions);
}

function addMethod(method: Method, used: Set<string>): void {
  const { request, response, parameters, headers, responseHeaders } = method;
  const add = (id: string): void => void used.add(id);
  const schemas = [
    request,
    response,
    ...parameters.map(({ schema }) => schema),
    ...(headers ?? []).map(({ schema }) => schema),
    ...(responseHeaders ?? []).map(({ schema }) => schema),
    method.links?.element,
    method.stream?.element,
    method.operation?.result,
  ];
  for (const schema of schemas)
    if (schema !== undefined) forEachRef(schema, add);
  addErrors(method.errors, used);
}

function addErrors(
  errors: readonly ErrorRule[] | undefined,
  used: Set<string>,
): void {
  for (const { schema } of errors ?? [])
    if (schema !== undefined) used.add(schema);
}
