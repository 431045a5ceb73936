import type { Method } from "../model/ir.js";
import { fieldsOf } from "./resource-fields.js";
import type { MockContext } from "./mock-context.js";
import type { JsonObject } from "./values.js";

/**
 * Result of a long-running operation: the resource that it created or changed.
 */
interface OperationResult {
  /** Id of the resource's schema. */
  readonly type: string;
  readonly value: JsonObject;
}

/** Returns a long-running operation that completed without an error. */
export function completedOperation(
  operation: JsonObject,
  method: Method,
  result: OperationResult | undefined,
  { definitions, maker, seed }: MockContext,
): JsonObject {
  const { response } = method;
  const fields = fieldsOf(
    response?.kind === "ref" ? response.id : "",
    definitions,
  );
  const { error: _, ...rest } = operation;
  if (method.operation?.style === "status")
    return {
      ...rest,
      status: "DONE",
      ...(fields.has("progress") ? { progress: 100 } : {}),
    };
  const declaredResult = method.operation?.result;
  const value =
    result ??
    (declaredResult?.kind === "ref"
      ? {
          type: declaredResult.id,
          value: maker.make(
            declaredResult,
            `${seed}|${method.id}`,
          ) as JsonObject,
        }
      : undefined);
  const schema = fields.get("response")?.schema;
  if (value === undefined || schema?.kind === undefined)
    return { ...rest, done: true };
  return {
    ...rest,
    done: true,
    response: {
      "@type": `type.googleapis.com/${value.type}`,
      ...value.value,
    },
  };
}
