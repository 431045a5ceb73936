import { requestForm } from "../../model/bodies.js";
import type { Method } from "../../model/ir.js";
import { needsFullExpansion } from "../../model/uri-template.js";
import { Code } from "../../render/typescript/code.js";
import { property, type Data } from "../../render/typescript/literals.js";
import type { FileContext } from "../shared/file-context.js";
import { featuresOf, pathOf, type Renamed } from "./features.js";

/** Input from which a method's descriptor is printed. */
export interface DescriptorInput {
  readonly method: Method;
  /**
   * Name in requests by property name, for properties with a different name.
   */
  readonly renamed: Renamed;
  readonly file: FileContext;
  /** Function that reads the bodies of error responses. */
  readonly errors?: Data | undefined;
}

/** Entries of a descriptor; the verb is absent, since tables contain it. */
interface DescriptorParts {
  readonly id: string;
  readonly path: string;
  readonly [key: string]: Data | undefined;
}

/**
 * Returns the entries of a method's descriptor, which the runtime reads, as
 * code; defaults are omitted.
 */
export function descriptorEntries(
  input: DescriptorInput,
  indent: number,
): Code[] {
  const { httpMethod } = input.method;
  const { id, ...rest } = descriptorParts(input);
  const verb = httpMethod === "GET" ? undefined : httpMethod;
  return Object.entries({ id, verb, ...rest }).flatMap(([key, entry]) =>
    entry === undefined ? [] : [new Code(property(key, entry, indent))],
  );
}

/** Returns the entries of a method's descriptor without its HTTP method. */
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

/** Returns the name of the runtime function that encodes the request body. */
function encoderOf(method: Method): string {
  return requestForm(method) === "content" ? "rawBody" : "jsonBody";
}

/**
 * Returns the headers that every call sends: `apiVersion`, and header
 * parameters with a default value.
 */
function headersOf({ apiVersion, headers = [] }: Method): Data | undefined {
  const values: Record<string, string> = {};
  if (apiVersion !== undefined) values["x-goog-api-version"] = apiVersion;
  for (const { name, constraints } of headers)
    if (constraints.default !== undefined)
      values[name.toLowerCase()] = constraints.default;
  return Object.keys(values).length === 0 ? undefined : values;
}
