import type { Field, Method, Schema } from "../model/ir.js";
import { isJsonObject } from "./conform.js";
import type { Params } from "./mock-context.js";
import { Random } from "./random.js";
import type { ResourceType } from "./roles.js";
import { identifierOf, textFor } from "./texts.js";

/** Reads and generates the ids of resources of one type. */
export class ResourceIds {
  /**
   * Name of the field that contains the id; undefined if the schema has no id
   * field.
   */
  readonly field: string | undefined;
  readonly #resourceType: ResourceType;
  readonly #isNumber: boolean;

  constructor(resourceType: ResourceType, fields: ReadonlyMap<string, Field>) {
    const { parameter } = resourceType;
    this.#resourceType = resourceType;
    this.field = idFieldOf(resourceType, fields);
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
   * string or the body of the request.
   */
  chosenBy(
    collection: string,
    params: Params,
    body: unknown,
    method: Method,
  ): string | undefined {
    const { variable } = this.#resourceType;
    const plural = collection
      .slice(collection.lastIndexOf("/") + 1)
      .toLowerCase();
    const names = method.parameters.map(({ name }) => name);
    const queryName = names.find((name) => {
      const stem = /^(.+?)_?id$/i.exec(name)?.[1]?.toLowerCase();
      return (
        name === variable ||
        (method.upload !== undefined && name === "name") ||
        (stem !== undefined && plural.startsWith(stem.replace(/y$/, "")))
      );
    });
    const bodyId = isJsonObject(body) ? body[this.field ?? ""] : undefined;
    const chosen = params[queryName ?? ""] ?? bodyId;
    const text =
      typeof chosen === "string" || typeof chosen === "number"
        ? String(chosen)
        : nestedId(body, variable);
    return text === undefined
      ? undefined
      : lastSegmentOf(text, this.#resourceType);
  }
}

function idFieldOf(
  { variable = "", prefix }: ResourceType,
  fields: ReadonlyMap<string, Field>,
): string | undefined {
  const isId = /id$/i.test(variable);
  const candidates =
    prefix !== undefined
      ? [variable, "name", "resourceName"]
      : isId
        ? [variable, "id"]
        : [variable, "name", "id", `${variable}Id`];
  return candidates.find((name) => fields.has(name));
}

function isNumeric(schema: Schema | undefined): boolean {
  if (schema?.kind !== "scalar") return false;
  return schema.type === "string"
    ? /^u?int64$/.test(schema.format ?? "")
    : schema.type === "integer" || schema.type === "number";
}

/**
 * Returns the id in a nested reference object of the body, such as
 * `datasetReference.datasetId`.
 */
function nestedId(
  body: unknown,
  variable: string | undefined,
): string | undefined {
  if (!isJsonObject(body) || variable === undefined) return undefined;
  for (const member of Object.values(body)) {
    const id = isJsonObject(member) ? member[variable] : undefined;
    if (typeof id === "string" && id !== "") return id;
  }
  return undefined;
}

/**
 * Returns the last segment of a full resource name; other ids are returned
 * unchanged.
 */
function lastSegmentOf(
  text: string,
  { prefix }: ResourceType,
): string | undefined {
  const last = prefix === undefined ? text : text.replace(/^.*\//s, "");
  return last === "" ? undefined : last;
}
