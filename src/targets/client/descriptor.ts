import { requestForm } from "../../model/bodies.js";
import type { Method } from "../../model/ir.js";
import { needsFullExpansion } from "../../model/uri-template.js";
import { Code } from "../../render/typescript/code.js";
import { Call, type Data } from "../../render/typescript/literals.js";
import { entryLines } from "../shared/entries.js";
import type { FileContext } from "../shared/file-context.js";
import { featuresOf, pathOf, type Renamed } from "./features.js";

/**
 * Data from which the descriptor of a method is printed. A descriptor is an
 * object that describes a method to the client runtime.
 */
export interface DescriptorInput {
  readonly method: Method;
  /**
   * Map from property name to the name in requests, for properties whose name
   * differs.
   */
  readonly renamed: Renamed;
  readonly file: FileContext;
  /** Function that parses the bodies of error responses. */
  readonly errors?: Data | undefined;
}

/** Members of a descriptor except the HTTP method. */
interface DescriptorParts {
  readonly id: string;
  readonly path: string;
  readonly use?: readonly Data[] | undefined;
  readonly [key: string]: Data | undefined;
}

/**
 * Prints the members of a method's descriptor, which is an object that
 * describes the method to the client runtime. Members that have their default
 * value are omitted.
 */
export function descriptorEntries(
  input: DescriptorInput,
  indent: number,
): Code[] {
  const { id, use, errors, ...rest } = descriptorParts(input);
  const httpMethod =
    input.method.httpMethod === "GET" ? undefined : input.method.httpMethod;
  const members = {
    id,
    httpMethod,
    ...rest,
    errors: errors && pure(errors),
    use: use?.map(pure),
  };
  return entryLines(members, indent);
}

/**
 * Marks a call so that bundlers can remove it if its result is unused. Without
 * the mark, unused methods would remain in bundles.
 */
function pure(value: Data): Data {
  return value instanceof Call
    ? new Call(`/* @__PURE__ */ ${value.name}`, value.settings)
    : value;
}

/** Returns the members of a method's descriptor except the HTTP method. */
export function descriptorParts(input: DescriptorInput): DescriptorParts {
  const { method, renamed, file, errors } = input;
  const value = (name: string): Code => new Code(file.runtimeValue(name));
  const path = pathOf(method.path, renamed);
  const use = featuresOf(method).flatMap((feature) =>
    feature.use === undefined ? [] : [feature.use(method, file, renamed)],
  );
  const form = requestForm(method);
  return {
    id: method.id,
    path,
    names: Object.keys(renamed).length > 0 ? renamed : undefined,
    expand: needsFullExpansion(path) ? value("expandTemplate") : undefined,
    body: form === "none" ? undefined : value(encoderOf(method)),
    headers: headersOf(method),
    errors,
    use: use.length > 0 ? use : undefined,
  };
}

/**
 * Returns the name of the client runtime's function that encodes the request
 * body.
 */
function encoderOf(method: Method): string {
  return requestForm(method) === "content" ? "rawBody" : "jsonBody";
}

/**
 * Returns the headers that every call of a method sends: the API version, and
 * header parameters that have a default value.
 */
function headersOf({ apiVersion, headers = [] }: Method): Data | undefined {
  const values: Record<string, string> = {};
  if (apiVersion !== undefined) values["x-goog-api-version"] = apiVersion;
  for (const { name, constraints } of headers)
    if (constraints.default !== undefined)
      values[name.toLowerCase()] = constraints.default;
  return Object.keys(values).length === 0 ? undefined : values;
}
