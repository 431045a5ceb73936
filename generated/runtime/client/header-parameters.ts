/* eslint-disable */
// biome-ignore-all lint: generated

import type { Feature } from "./contract.js";
import type { HeadersLike } from "./headers.js";
import type { CallOptions } from "./options.js";
import { ownValue, toList } from "./values.js";

/**
 * Returns the `Feature` that sends parameters as headers (`x-headers` in the
 * API description). Headers in the options of a call override these parameters.
 */
/* @__NO_SIDE_EFFECTS__ */
export function headerParameters({
  names,
}: {
  readonly names: readonly string[];
}): Feature {
  return (_, invocation) => {
    const { parameters, options } = invocation;
    const rest = { ...parameters };
    const headers: Record<string, string> = {};
    for (const name of names) {
      const value = ownValue(rest, name);
      delete rest[name];
      if (value != null)
        headers[name] = toList(value)
          .map((item) => toHeader(item!))
          .join(", ");
    }
    const call = invocation as {
      parameters: typeof parameters;
      options: CallOptions;
    };
    call.parameters = rest;
    call.options = {
      ...options,
      headers: { ...headers, ...toPlain(options.headers) },
    };
    return {};
  };
}

/** Formats a value as text: dates in RFC 3339 format, other objects as JSON. */
function toHeader(value: {}): string {
  const text = (value as Partial<Date>).toISOString?.();
  return (
    text ?? (typeof value === "object" ? JSON.stringify(value) : String(value))
  );
}

/**
 * Converts headers to a plain object. The headers are not validated here,
 * because they are validated when the request is built.
 */
function toPlain(
  headers: HeadersLike | undefined,
): Readonly<Record<string, string | null | undefined>> {
  if (typeof headers?.forEach !== "function")
    return headers as Readonly<Record<string, string>>;
  const result: Record<string, string> = {};
  headers.forEach((value, name) => (result[name] = value));
  return result;
}
