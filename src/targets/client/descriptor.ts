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
  readonly indent: number;
  /** Function that reads the bodies of error responses. */
  readonly errors?: Data | undefined;
}

/**
 * Returns the entries of a method's descriptor, from which the runtime creates
 * requests. Default values are omitted.
 */
export function descriptorEntries(input: DescriptorInput): Code[] {
  const { method, renamed, file, indent, errors } = input;
  const value = (name: string): Code => new Code(file.runtimeValue(name));
  const path = pathOf(method.path, renamed);
  const use = featuresOf(method).flatMap((feature) =>
    feature.use === undefined ? [] : [feature.use(method, file, renamed)],
  );
  const entries: readonly [string, Data | undefined | false][] = [
    ["id", method.id],
    ["verb", method.httpMethod !== "GET" && method.httpMethod],
    ["path", path],
    ["names", Object.keys(renamed).length > 0 && renamed],
    ["expand", needsFullExpansion(path) && value("expandTemplate")],
    ["body", requestForm(method) !== "none" && value(encoderOf(method))],
    ["headers", headersOf(method)],
    ["errors", errors],
    ["use", use.length > 0 && use],
  ];
  return entries.flatMap(([key, entry]) =>
    entry === undefined || entry === false
      ? []
      : [new Code(property(key, entry, indent))],
  );
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
