import { isObject } from "../diagnostics/json.js";
import type { ValueType } from "./operation-table.js";

/**
 * Type of a value in a patch file: a function that tests values, and the
 * equivalent JSON Schema.
 */
interface ValueCheck {
  /** Name of the type in messages, such as `text`. */
  readonly title: string;
  readonly isValid: (value: unknown) => boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

const isText = (value: unknown): boolean => typeof value === "string";

const TEXT = { type: "string", minLength: 1 };

/** Supported forms of `x-paging`, each with its required and optional keys. */
const PAGING_FORMS = [
  { required: ["page", "size", "link"], optional: [] },
  { required: [], optional: ["token", "next", "items"] },
] as const;

function isPaging(value: unknown): boolean {
  if (value === false) return true;
  if (!isObject(value) || Object.keys(value).length === 0) return false;
  const members = Object.entries(value);
  return PAGING_FORMS.some(({ required, optional }) => {
    const names: readonly string[] = [...required, ...optional];
    return (
      required.every((name) => Object.hasOwn(value, name)) &&
      members.every(
        ([name, text]) => names.includes(name) && isText(text) && text !== "",
      )
    );
  });
}

const texts = (names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, TEXT]));

/** Value types of keys in patch files. */
export const VALUE_TYPES: Readonly<Record<ValueType, ValueCheck>> = {
  any: { title: "a value", isValid: () => true, schema: {} },
  text: { title: "text", isValid: isText, schema: { type: "string" } },
  boolean: {
    title: "true or false",
    isValid: (value) => typeof value === "boolean",
    schema: { type: "boolean" },
  },
  names: {
    title: "a list of names with at least one element",
    isValid: (value) =>
      Array.isArray(value) && value.length > 0 && value.every(isText),
    schema: { type: "array", items: { type: "string" }, minItems: 1 },
  },
  texts: {
    title: "an object with at least one member, whose values are strings",
    isValid: (value) =>
      isObject(value) &&
      Object.keys(value).length > 0 &&
      Object.values(value).every(isText),
    schema: {
      type: "object",
      additionalProperties: { type: "string" },
      minProperties: 1,
    },
  },
  paging: {
    title:
      "false or an object with page, size and link, or with at least one of token, next and items",
    isValid: isPaging,
    schema: {
      anyOf: [
        { const: false },
        ...PAGING_FORMS.map(({ required, optional }) => ({
          type: "object",
          properties: texts([...required, ...optional]),
          ...(required.length > 0 ? { required } : { minProperties: 1 }),
          additionalProperties: false,
        })),
      ],
    },
  },
  operation: {
    title: "an object with the key response",
    isValid: (value) =>
      isObject(value) &&
      Object.keys(value).join() === "response" &&
      isText(value["response"]) &&
      value["response"] !== "",
    schema: {
      type: "object",
      properties: { response: TEXT },
      required: ["response"],
      additionalProperties: false,
    },
  },
};
