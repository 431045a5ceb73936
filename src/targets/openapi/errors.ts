import type { ErrorRule, Method } from "../../model/ir.js";
import {
  jsonMembers,
  jsonObject,
  toJson,
  unlessEmpty,
  type JsonObject,
} from "../json-schema/json.js";
import type { OpenapiContext } from "./context.js";
import { schemaReference } from "./dialect.js";

/** Key in `components/responses` of the default error response. */
const DEFAULT = "Error";

/** Schema of the standard body of error responses. */
export const ERROR_SCHEMA: JsonObject = {
  type: "object",
  description: "Body of error responses.",
  properties: {
    error: {
      type: "object",
      properties: {
        code: { type: "integer", format: "int32", description: "HTTP status." },
        message: { type: "string" },
        status: {
          type: "string",
          description: "Canonical code, such as `NOT_FOUND`.",
        },
        errors: {
          type: "array",
          items: {
            type: "object",
            properties: {
              domain: { type: "string" },
              reason: { type: "string" },
              message: { type: "string" },
              location: { type: "string" },
              locationType: { type: "string" },
            },
          },
        },
        details: {
          type: "array",
          items: { type: "object", additionalProperties: true },
        },
      },
      required: ["code", "message"],
    },
  },
  required: ["error"],
};

/**
 * Returns `components/responses`, which contains the error responses that all
 * methods share.
 */
export function errorComponents(context: OpenapiContext): JsonObject {
  const rules = context.api.errors ?? [];
  const hasDefault = rules.some(({ status }) => status === "default");
  return jsonMembers([
    ...(hasDefault
      ? []
      : [[DEFAULT, errorResponse({ status: "default" }, context)] as const]),
    ...rules.map(
      (rule) => [keyOf(rule), errorResponse(rule, context)] as const,
    ),
  ]);
}

/**
 * Returns the error responses of a method, keyed by status; `default` comes
 * last.
 */
export function errorResponses(
  { errors = [] }: Method,
  context: OpenapiContext,
): JsonObject {
  const shared = context.api.errors ?? [];
  const own = new Set(errors.map(({ status }) => status));
  const entries: (readonly [string, JsonObject])[] = [
    ...[...shared, { status: "default" }]
      .filter(({ status }) => !own.has(status))
      .map(
        (rule) =>
          [
            rule.status,
            { $ref: `#/components/responses/${keyOf(rule)}` },
          ] as const,
      ),
    ...errors.map(
      (rule) => [rule.status, errorResponse(rule, context)] as const,
    ),
  ];
  // The responses are sorted by status, because JavaScript objects list numeric
  // keys first, in ascending order.
  return jsonMembers(entries);
}

function keyOf({ status }: ErrorRule): string {
  return status === "default" ? DEFAULT : `${DEFAULT}${status}`;
}

function errorResponse(
  rule: ErrorRule,
  { api, errorSchema, schemas }: OpenapiContext,
): JsonObject {
  const general = [rule.status, "default"].map((status) =>
    api.errors?.find((other) => other.status === status),
  );
  const [description, schema] = (["description", "schema"] as const).map(
    (key) =>
      [rule, ...general].find((each) => each?.[key] !== undefined)?.[key],
  );
  const name =
    schema === undefined ? undefined : schemas.names.output.get(schema);
  const $ref = schemaReference(name ?? errorSchema);
  const { body, message, reason, code } = rule;
  const template = body === undefined ? undefined : toJson(body);
  return jsonObject({
    description: description ?? "Error.",
    content: { "application/json": { schema: { $ref } } },
    "x-discovery-error": unlessEmpty(
      jsonObject({ message, reason, code, body: template }),
    ),
  });
}
