import { isObject } from "../../diagnostics/json.js";
import {
  child,
  type DocumentPath,
  type BuildContext,
} from "../build/context.js";
import type { ErrorRule, Field, Schema } from "../ir.js";

/** Facts of a failure that a whole string of a template can stand for. */
const FACT = /^\{(status|message|reason|code|field|documentation)\}$/;

/**
 * The rules of `x-errors` whose schema is there and whose template is a value
 * of it; what is not so is reported and left out.
 *
 * @param shared those of the document, which fill in what a rule lacks.
 */
export function checkErrors(
  rules: readonly ErrorRule[],
  shared: readonly ErrorRule[],
  at: DocumentPath | undefined,
  context: BuildContext,
): ErrorRule[] {
  return rules.map((rule) => {
    const place = child(at, "x-errors", rule.status);
    const known = withoutMissing(rule, place, context);
    const general = ["default", rule.status].map((status) =>
      shared.find((other) => other.status === status),
    );
    const schema = known.schema ?? general[1]?.schema ?? general[0]?.schema;
    if (known.body === undefined || schema === undefined) return known;
    const wrong = new TemplateChecker(known, context).check(
      known.body,
      { kind: "ref", id: schema },
      [],
    );
    if (wrong === undefined) return known;
    context.report(
      "extension-invalid",
      `the template ${wrong.what} (schema ${schema})`,
      child(place, "body", ...wrong.path),
    );
    const { body: _, ...rest } = known;
    return rest;
  });
}

function withoutMissing(
  rule: ErrorRule,
  place: DocumentPath,
  context: BuildContext,
): ErrorRule {
  const { schema, ...rest } = rule;
  if (schema === undefined || context.schemaIds.has(schema)) return rule;
  context.report(
    "ref-missing",
    `there is no schema ${JSON.stringify(schema)}`,
    child(place, "$ref"),
  );
  return rest;
}

type Path = readonly (string | number)[];

/** What is wrong with a template, and where in it. */
interface Wrong {
  readonly what: string;
  readonly path: Path;
}

/** Compares a template with a schema. */
class TemplateChecker {
  readonly #aliases = new Set<string>();

  constructor(
    private readonly rule: ErrorRule,
    private readonly context: BuildContext,
  ) {}

  check(value: unknown, schema: Schema, path: Path): Wrong | undefined {
    const wrong = (what: string): Wrong => ({ what, path });
    if (schema.kind === "any") return undefined;
    if (schema.kind === "ref") return this.#definition(value, schema.id, path);
    if (schema.kind === "list") {
      if (!Array.isArray(value)) return wrong("has no array here");
      return first(value, (item, index) =>
        this.check(item, schema.items, [...path, index]),
      );
    }
    if (schema.kind === "map") {
      if (!isObject(value)) return wrong("has no object here");
      return first(Object.entries(value), ([key, member]) =>
        this.check(member, schema.values, [...path, key]),
      );
    }
    if (value === null)
      return schema.nullable === true ? undefined : wrong("has null here");
    const fact = typeof value === "string" && FACT.exec(value)?.[1];
    const told = fact ? this.#literal(fact) : value;
    if (schema.kind === "enum") {
      const isClosed = schema.open !== true && told !== undefined;
      return isClosed && !schema.values.some((one) => one.value === told)
        ? wrong(`has ${JSON.stringify(told)}, which the enum lacks`)
        : undefined;
    }
    return this.#scalar(value, fact, schema.type, wrong);
  }

  #scalar(
    value: unknown,
    fact: string | false | undefined,
    type: string,
    wrong: (what: string) => Wrong,
  ): Wrong | undefined {
    const isNumber = type === "integer" || type === "number";
    const fits = fact
      ? type === "string" || (isNumber && fact === "status")
      : isNumber
        ? typeof value === "number"
        : typeof value === type;
    return fits
      ? undefined
      : wrong(`has ${JSON.stringify(value)} where ${type} belongs`);
  }

  /** The text that stands for a fact where the service gives no other. */
  #literal(fact: string): string | undefined {
    const { reason, code } = this.rule;
    return fact === "code" ? code : fact === "reason" ? reason : undefined;
  }

  #definition(value: unknown, id: string, path: Path): Wrong | undefined {
    const definition = this.context.definitions.get(id);
    if (definition === undefined || definition.body.kind === "variant")
      return undefined;
    const { body } = definition;
    if (body.kind === "alias") {
      // Cycles of aliases are broken only when all methods are there.
      if (this.#aliases.has(id)) return undefined;
      this.#aliases.add(id);
      const wrong = this.check(value, body.schema, path);
      this.#aliases.delete(id);
      return wrong;
    }
    if (body.kind === "enum")
      return this.check(value, { ...body, kind: "enum" }, path);
    if (value === null && definition.nullable === true) return undefined;
    if (!isObject(value)) return { what: "has no object here", path };
    return (
      first(Object.entries(value), ([name, member]) => {
        const field = body.fields.find((one) => one.name === name);
        const inner = field?.schema ?? body.additional;
        return inner === undefined
          ? { what: `has ${JSON.stringify(name)}, which is not declared`, path }
          : this.check(member, inner, [...path, name]);
      }) ?? lacking(body.fields, value, path)
    );
  }
}

/** A property that is always present has a place in the template. */
function lacking(
  fields: readonly Field[],
  value: object,
  path: Path,
): Wrong | undefined {
  const missing = fields.find(
    ({ name, flags }) =>
      flags.present !== undefined && !Object.hasOwn(value, name),
  );
  return missing === undefined
    ? undefined
    : { what: `lacks ${JSON.stringify(missing.name)}`, path };
}

function first<T>(
  items: readonly T[],
  check: (item: T, index: number) => Wrong | undefined,
): Wrong | undefined {
  for (const [index, item] of items.entries()) {
    const wrong = check(item, index);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
