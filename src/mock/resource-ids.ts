// This file is longer than 250 lines, because it contains all rules that connect
// the id of a resource with its path, its members and its parameters.

import type { Definition, Field, Method, Schema } from "../model/ir.js";
import { isJsonObject } from "./conform.js";
import type { Params } from "./mock-context.js";
import { Random } from "./random.js";
import { fieldsOf } from "./resource-fields.js";
import type { ResourceType } from "./method-role.js";
import { identifierOf, textFor } from "./texts.js";

type Fields = ReadonlyMap<string, Field>;

/** Finds, generates and sets the ids of the resources of a type. */
export class ResourceIds {
  /**
   * Name of the field that contains the id; undefined if the schema has no id
   * field.
   */
  readonly field: string | undefined;
  /**
   * Field with an object that contains the id, such as `datasetReference`;
   * undefined if the id is not in such an object.
   */
  readonly reference: Field | undefined;
  readonly #resourceType: ResourceType;
  readonly #isNumber: boolean;

  constructor(
    resourceType: ResourceType,
    fields: Fields,
    definitions: ReadonlyMap<string, Definition>,
  ) {
    const { parameter, variable } = resourceType;
    this.#resourceType = resourceType;
    this.reference = referenceOf(variable, fields, definitions);
    this.field = idFieldOf(resourceType, fields, this.reference);
    const field = fields.get(this.field ?? "");
    this.#isNumber = [field?.schema, parameter?.schema].some(isNumeric);
  }

  /** Generates an id in the format that the resource type uses. */
  generate(key: string): string {
    const random = new Random(key);
    const { prefix } = this.#resourceType;
    if (this.#isNumber || this.field !== "name" || prefix !== undefined)
      return identifierOf(random, this.#isNumber);
    return `${textFor("name", random)}-${random.below(1000)}`;
  }

  /**
   * Returns the id that the caller chose for a new resource, in the query
   * string, in the request around the resource, or in the resource.
   *
   * @param around body of the request, if it contains the resource in a member
   */
  chosenBy(
    collection: string,
    params: Params,
    resource: unknown,
    method: Method | undefined,
    around?: unknown,
  ): string | undefined {
    const queryName = method?.parameters
      .map(({ name }) => name)
      .find((name) => this.#isIdParameter(name, collection, method));
    const text =
      textOf(params[queryName ?? ""]) ??
      this.#idAround(around, collection) ??
      textOf(memberOf(resource, this.field)) ??
      textOf(
        memberOf(
          memberOf(resource, this.reference?.name),
          this.#resourceType.variable,
        ),
      ) ??
      // The service composes the name of the id, as in projects/{projectId}.
      (this.#resourceType.prefix === undefined
        ? undefined
        : this.#idAround(resource, collection));
    return text === undefined
      ? undefined
      : lastSegmentOf(text, this.#resourceType);
  }

  #isIdParameter(name: string, collection: string, method: Method): boolean {
    const { variable } = this.#resourceType;
    const plural = lastSegment(collection).toLowerCase();
    const stem = /^(.+?)_?id$/i.exec(name)?.[1]?.toLowerCase();
    return (
      name === variable ||
      ((method.upload !== undefined || method.rawRequest === true) &&
        name === "name") ||
      (stem !== undefined && plural.startsWith(stem.replace(/y$/, "")))
    );
  }

  /** Returns a member such as `instanceId` beside the resource. */
  #idAround(around: unknown, collection: string): string | undefined {
    if (!isJsonObject(around)) return undefined;
    const plural = lastSegment(collection).toLowerCase();
    const name = Object.keys(around).find((member) => {
      const stem = /^(.+?)_?id$/i.exec(member)?.[1]?.toLowerCase();
      return stem !== undefined && plural.startsWith(stem.replace(/y$/, ""));
    });
    return name === undefined ? undefined : textOf(around[name]);
  }
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function memberOf(value: unknown, name: string | undefined): unknown {
  return isJsonObject(value) && name !== undefined && Object.hasOwn(value, name)
    ? value[name]
    : undefined;
}

function textOf(value: unknown): string | undefined {
  return (typeof value === "string" && value !== "") ||
    typeof value === "number"
    ? String(value)
    : undefined;
}

/**
 * Returns the field with the object that contains the id and names of parents,
 * such as `tableReference` for the variable `tableId`. If several objects have
 * the id, the one whose name contains the variable wins.
 */
function referenceOf(
  variable: string | undefined,
  fields: Fields,
  definitions: ReadonlyMap<string, Definition>,
): Field | undefined {
  if (variable === undefined) return undefined;
  const candidates = [...fields.values()].filter(
    ({ schema }) =>
      schema.kind === "ref" && fieldsOf(schema.id, definitions).has(variable),
  );
  const stem = variable.replace(/_?id$/i, "").toLowerCase();
  const isReference = ({ name }: Field): boolean => /ref(erence)?$/i.test(name);
  return (
    candidates.find(
      (field) =>
        isReference(field) && field.name.toLowerCase().startsWith(stem),
    ) ??
    candidates.find(isReference) ??
    (candidates.length === 1 ? candidates[0] : undefined)
  );
}

/**
 * Returns the field that contains the id: the one with the name of the variable
 * or a conventional name, otherwise the one whose name has most words in common
 * with the variable or the collection (`ruleName` for `responsePolicyRule`).
 */
function idFieldOf(
  { variable = "", prefix, pattern, isSingleton }: ResourceType,
  fields: Fields,
  reference: Field | undefined,
): string | undefined {
  const isId = /id$/i.test(variable);
  const candidates =
    prefix !== undefined
      ? [variable, "name", "resourceName"]
      : isId
        ? [variable, ...(reference === undefined ? ["id"] : [])]
        : [variable, "name", "id", `${variable}Id`];
  const conventional = candidates.find((name) => isText(fields.get(name)));
  if (conventional !== undefined || reference !== undefined || isSingleton)
    return conventional;
  const collection = pattern.split("/").at(-1)!;
  const wanted = wordsOf(prefix === undefined ? variable : collection);
  const scored = [...fields.values()]
    .filter(isText)
    .filter(({ name }) => prefix === undefined || /(id|name)$/i.test(name))
    .map(({ name }) => ({ name, score: commonWords(wordsOf(name), wanted) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  return scored[0]?.name;
}

function isText(field: Field | undefined): field is Field {
  const schema = field?.schema;
  return (
    schema?.kind === "scalar" &&
    (schema.type === "string" || isNumeric(schema)) &&
    !/^(byte|date|google-)/.test(schema.format ?? "")
  );
}

/** Words of a name in lower case and singular, without `id` and `name`. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/name$/, " name")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .map((word) => word.replace(/s$/, ""))
    .filter((word) => !/^(id|name|type|kind|)$/.test(word));
}

function commonWords(
  some: readonly string[],
  others: readonly string[],
): number {
  return some.filter((word) => others.includes(word)).length;
}

function isNumeric(schema: Schema | undefined): boolean {
  if (schema?.kind !== "scalar") return false;
  return schema.type === "string"
    ? /^u?int64$/.test(schema.format ?? "")
    : schema.type === "integer" || schema.type === "number";
}

/**
 * Returns the last segment of a full resource name; other ids are returned
 * unchanged.
 */
function lastSegmentOf(
  text: string,
  { prefix }: ResourceType,
): string | undefined {
  const last = prefix === undefined ? text : lastSegment(text);
  return last === "" ? undefined : last;
}
