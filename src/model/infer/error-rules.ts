import { isObject } from "../../diagnostics/json.js";
import {
  child,
  type DocumentPath,
  type BuildContext,
} from "../build/context.js";
import type { ErrorRule, Field, Schema } from "../ir.js";

/**
 * Pattern for a placeholder in an error template. Servers replace a placeholder
 * with a value from the error.
 */
const PLACEHOLDER = /^\{(status|message|reason|code|field|documentation)\}$/;

/**
 * Checks the rules of `x-errors`: the schema must exist, and the template must
 * match the schema. Reports violations and removes the invalid schema or
 * template.
 * @param shared rules of the document, which apply to methods that do not
 *   override them
 */
export function checkErrors(
  rules: readonly ErrorRule[],
  shared: readonly ErrorRule[],
  at: DocumentPath | undefined,
  context: BuildContext,
): ErrorRule[] {
  return rules.map((rule) => {
    const path = child(at, "x-errors", rule.status);
    const checked = withoutMissingSchema(rule, path, context);
    const general = ["default", rule.status].map((status) =>
      shared.find((other) => other.status === status),
    );
    const schema = checked.schema ?? general[1]?.schema ?? general[0]?.schema;
    if (checked.body === undefined || schema === undefined) return checked;
    const mismatch = new TemplateChecker(checked, context).check(
      checked.body,
      { kind: "ref", id: schema },
      [],
    );
    if (mismatch === undefined) return checked;
    context.report(
      "extension-invalid",
      `the template value ${mismatch.problem} (schema ${schema})`,
      child(path, "body", ...mismatch.path),
    );
    const { body: _, ...rest } = checked;
    return rest;
  });
}

function withoutMissingSchema(
  rule: ErrorRule,
  path: DocumentPath,
  context: BuildContext,
): ErrorRule {
  const { schema, ...rest } = rule;
  if (schema === undefined || context.schemaIds.has(schema)) return rule;
  context.report(
    "ref-missing",
    `$ref ${JSON.stringify(schema)} does not refer to a schema`,
    child(path, "$ref"),
  );
  return rest;
}

type Path = readonly (string | number)[];

/**
 * Difference between an error template and its schema, with its location in the
 * template.
 */
interface Mismatch {
  readonly problem: string;
  readonly path: Path;
}

/** Compares an error template with a schema. */
class TemplateChecker {
  readonly #aliases = new Set<string>();

  constructor(
    private readonly rule: ErrorRule,
    private readonly context: BuildContext,
  ) {}

  check(value: unknown, schema: Schema, path: Path): Mismatch | undefined {
    const mismatch = (problem: string): Mismatch => ({ problem, path });
    if (schema.kind === "any") return undefined;
    if (schema.kind === "ref") return this.#definition(value, schema.id, path);
    if (schema.kind === "list") {
      if (!Array.isArray(value)) return mismatch("must be an array");
      return firstMismatch(value, (item, index) =>
        this.check(item, schema.items, [...path, index]),
      );
    }
    if (schema.kind === "map") {
      if (!isObject(value)) return mismatch("must be an object");
      return firstMismatch(Object.entries(value), ([key, member]) =>
        this.check(member, schema.values, [...path, key]),
      );
    }
    if (value === null)
      return schema.nullable === true
        ? undefined
        : mismatch("must not be null");
    const placeholder =
      typeof value === "string" ? PLACEHOLDER.exec(value)?.[1] : undefined;
    const known =
      placeholder === undefined ? value : this.#valueOf(placeholder);
    if (schema.kind === "enum") {
      const isClosed = schema.open !== true && known !== undefined;
      return isClosed && !schema.values.some((entry) => entry.value === known)
        ? mismatch(
            `must be a value of the enum, found ${JSON.stringify(known)}`,
          )
        : undefined;
    }
    return this.#scalar(value, placeholder, schema.type, mismatch);
  }

  #scalar(
    value: unknown,
    placeholder: string | undefined,
    type: string,
    mismatch: (problem: string) => Mismatch,
  ): Mismatch | undefined {
    const isNumber = type === "integer" || type === "number";
    const fits =
      placeholder !== undefined
        ? type === "string" || (isNumber && placeholder === "status")
        : isNumber
          ? typeof value === "number"
          : typeof value === type;
    return fits
      ? undefined
      : mismatch(`must be of type ${type}, found ${JSON.stringify(value)}`);
  }

  /**
   * Returns the value that the rule declares for a placeholder; undefined if
   * the value is known only at run time.
   */
  #valueOf(placeholder: string): string | undefined {
    const { reason, code } = this.rule;
    if (placeholder === "code") return code;
    return placeholder === "reason" ? reason : undefined;
  }

  #definition(value: unknown, id: string, path: Path): Mismatch | undefined {
    const definition = this.context.definitions.get(id);
    if (definition === undefined) return undefined;
    const { body } = definition;
    if (body.kind === "variant" || body.kind === "union") return undefined;
    if (body.kind === "alias") {
      // Aliases can be circular at this stage, because cycles are broken after
      // all methods are built.
      if (this.#aliases.has(id)) return undefined;
      this.#aliases.add(id);
      const mismatch = this.check(value, body.schema, path);
      this.#aliases.delete(id);
      return mismatch;
    }
    if (body.kind === "enum")
      return this.check(value, { ...body, kind: "enum" }, path);
    if (value === null && definition.nullable === true) return undefined;
    if (!isObject(value)) return { problem: "must be an object", path };
    return (
      firstMismatch(Object.entries(value), ([name, member]) => {
        const field = body.fields.find((declared) => declared.name === name);
        const inner = field?.schema ?? body.additional;
        return inner === undefined
          ? {
              problem: `must not have the undeclared property ${JSON.stringify(name)}`,
              path,
            }
          : this.check(member, inner, [...path, name]);
      }) ?? missingProperty(body.fields, value, path)
    );
  }
}

/**
 * Returns a mismatch for a property that every value must have but the template
 * does not contain.
 */
function missingProperty(
  fields: readonly Field[],
  value: object,
  path: Path,
): Mismatch | undefined {
  const missing = fields.find(
    ({ name, flags }) =>
      flags.present !== undefined && !Object.hasOwn(value, name),
  );
  return missing === undefined
    ? undefined
    : {
        problem: `must have the property ${JSON.stringify(missing.name)}`,
        path,
      };
}

/** Returns the first mismatch that `check` finds in a list. */
function firstMismatch<T>(
  items: readonly T[],
  check: (item: T, index: number) => Mismatch | undefined,
): Mismatch | undefined {
  for (const [index, item] of items.entries()) {
    const mismatch = check(item, index);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}
