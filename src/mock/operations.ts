import type { Method } from "../model/ir.js";
import { fieldsOf } from "./resource-fields.js";
import type { World } from "./resources.js";
import type { Members } from "./values.js";

/** What an operation made or changed. */
interface Result {
  /** Id of its schema. */
  readonly type: string;
  readonly value: Members;
}

/** A long-running operation that is done already, without an error. */
export function finished(
  operation: Members,
  method: Method,
  result: Result | undefined,
  { definitions, maker, seed }: World,
): Members {
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
  const known = method.operation?.result;
  const value =
    result ??
    (known?.kind === "ref"
      ? {
          type: known.id,
          value: maker.make(known, `${seed}|${method.id}`) as Members,
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
