import type { Definition, ErrorRule, Schema } from "../../model/ir.js";
import type { ApiContext } from "../shared/api-context.js";
import { type Entries, jsonData } from "../shared/entries.js";

/**
 * Returns error rules (`x-errors`), keyed by status. Each rule contains JSON
 * pointers to the strings in its body template that the server can replace with
 * null or with numbers.
 */
export function errorsData(
  rules: readonly ErrorRule[] | undefined,
  context: ApiContext,
): Entries | undefined {
  if (rules === undefined) return undefined;
  const entries = rules.map((rule) => {
    const { status, schema, body, description: _, ...texts } = rule;
    const pointers =
      body === undefined
        ? undefined
        : valuePointers(body, bodySchema(schema, rules, context), context);
    const entry: Entries = {
      body: body === undefined ? undefined : jsonData(body),
      ...(texts as Entries),
      ...pointers,
    };
    return [status, entry] as const;
  });
  const nonEmpty = entries.filter(([, entry]) =>
    Object.values(entry).some((value) => value !== undefined),
  );
  return nonEmpty.length === 0 ? undefined : Object.fromEntries(nonEmpty);
}

/**
 * Returns the definition of an error body: the rule's own definition if it has
 * one, otherwise that of the default rule.
 */
function bodySchema(
  schema: string | undefined,
  rules: readonly ErrorRule[],
  { api, definitions }: ApiContext,
): Definition | undefined {
  const id =
    schema ??
    [...rules, ...(api.errors ?? [])].find(
      (rule) => rule.status === "default" && rule.schema !== undefined,
    )?.schema;
  return id === undefined ? undefined : definitions.get(id);
}

/**
 * Returns JSON pointers to the strings in a body template that the server can
 * replace with null or with numbers.
 */
function valuePointers(
  body: unknown,
  definition: Definition | undefined,
  context: ApiContext,
): Entries {
  const nullable: string[] = [];
  const numbers: string[] = [];
  const visit = (
    value: unknown,
    schema: Schema | undefined,
    pointer: string,
  ): void => {
    if (typeof value === "string") {
      if (schema?.nullable === true) nullable.push(pointer);
      if (isNumeric(schema)) numbers.push(pointer);
    } else if (Array.isArray(value)) {
      const items = schema?.kind === "list" ? schema.items : undefined;
      value.forEach((item, index) => visit(item, items, `${pointer}/${index}`));
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value))
        visit(
          member,
          memberSchema(schema, name, context),
          `${pointer}/${name}`,
        );
    }
  };
  if (definition !== undefined)
    visit(body, { kind: "ref", id: definition.id }, "");
  return {
    nullable: nullable.length > 0 ? nullable : undefined,
    numbers: numbers.length > 0 ? numbers : undefined,
  };
}

function isNumeric(schema: Schema | undefined): boolean {
  return (
    schema?.kind === "scalar" &&
    (schema.type === "integer" || schema.type === "number")
  );
}

function memberSchema(
  schema: Schema | undefined,
  name: string,
  { definitions }: ApiContext,
): Schema | undefined {
  if (schema?.kind !== "ref") return undefined;
  const body = definitions.get(schema.id)?.body;
  if (body?.kind !== "object") return undefined;
  return body.fields.find((field) => field.name === name)?.schema;
}
