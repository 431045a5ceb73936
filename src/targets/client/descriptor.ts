import type { Method } from "../../model/ir.js";
import {
  needsFullExpansion,
  renameVariables,
} from "../../model/passes/paths.js";
import { Code } from "../../render/code.js";
import { Call, property, type Data } from "../../render/literals.js";
import type { FileContext } from "./context.js";

/** What a descriptor is made from, beside the method. */
export interface DescriptorInput {
  readonly method: Method;
  /** Wire name by property, where they differ. */
  readonly renamed: Readonly<Record<string, string>>;
  readonly file: FileContext;
  readonly indent: number;
}

/** Entries of a method's descriptor: what the runtime has to know, defaults left out. */
export function descriptorEntries(input: DescriptorInput): Code[] {
  const { method, renamed, file, indent } = input;
  const value = (name: string): Code => new Code(file.runtimeValue(name));
  const path = pathOf(method, renamed);
  const use = features(method, file);
  const entries: readonly [string, Data | undefined | false][] = [
    ["id", method.id],
    ["verb", method.httpMethod !== "GET" && method.httpMethod],
    ["path", path],
    ["names", Object.keys(renamed).length > 0 && renamed],
    ["expand", needsFullExpansion(path) && value("expandTemplate")],
    ["body", method.request !== undefined && value("jsonBody")],
    ["headers", headersOf(method)],
    ["use", use.length > 0 && use],
  ];
  return entries.flatMap(([key, entry]) =>
    entry === undefined || entry === false
      ? []
      : [new Code(property(key, entry, indent))],
  );
}

function headersOf({ apiVersion }: Method): Data | undefined {
  return apiVersion === undefined
    ? undefined
    : { "x-goog-api-version": apiVersion };
}

/** The runtime looks variables up by property, so the path has those names. */
function pathOf(
  { path }: Method,
  renamed: Readonly<Record<string, string>>,
): string {
  const properties = new Map(
    Object.entries(renamed).map(([name, wire]) => [wire, name]),
  );
  return properties.size === 0 ? path : renameVariables(path, properties);
}

function features(method: Method, file: FileContext): Data[] {
  const use: Data[] = [];
  if (method.paging !== undefined) use.push(pagedFeature(method, file));
  if (method.download !== undefined)
    use.push(new Code(file.runtimeValue("download")));
  return use;
}

/** `paged({ items: "files" })`, with whatever differs from the usual names. */
function pagedFeature({ paging }: Method, file: FileContext): Call {
  const { token, next, items } = paging!;
  const settings: Record<string, string> = {};
  if (items !== undefined) settings["items"] = items.field;
  if (token !== "pageToken") settings["token"] = token;
  if (next !== "nextPageToken") settings["next"] = next;
  if (paging!.in === "body") settings["in"] = "body";
  // Bundlers drop an unused method only if they may drop the calls within it.
  return new Call(`/* @__PURE__ */ ${file.runtimeValue("paged")}`, settings);
}
