import type { Feature, Invocation } from "./contract.js";
import type { HeadersLike } from "./headers.js";
import { ownValue, toList, toText } from "./values.js";

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
    const { descriptor, parameters, options } = invocation;
    const call = invocation as {
      -readonly [K in keyof Invocation]: Invocation[K];
    };
    const rest = { ...parameters };
    const headers: Record<string, string> = {};
    call.parameters = rest;
    call.options = { ...options, headers };
    try {
      for (const name of names) {
        const values = toList<{} | null | undefined>(ownValue(rest, name))
          .filter((value) => value != null)
          .map((value) => toText(value, name));
        delete rest[name];
        if (values[0] !== undefined) headers[name] = values.join(", ");
      }
    } catch (thrown) {
      // Building the request fails, so that the call rejects instead of throwing.
      call.descriptor = {
        ...descriptor,
        body() {
          throw thrown;
        },
      };
    }
    Object.assign(headers, toPlain(options.headers));
    return {};
  };
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
