import type { Method } from "../../model/ir.js";
import { needsFullExpansion } from "../../model/passes/paths.js";
import { Code } from "../../render/code.js";
import { property, type Data } from "../../render/literals.js";
import type { FileContext } from "./context.js";

/** Entries of a method's descriptor: what the runtime has to know, defaults left out. */
export function descriptorEntries(
  method: Method,
  renamed: Readonly<Record<string, string>>,
  file: FileContext,
  scopeNames: ReadonlyMap<string, string>,
  scopesModule: string,
  indent: number,
): Code[] {
  const { paging } = method;
  const use: Code[] = [];
  if (paging !== undefined) use.push(pagedFeature(method, file));
  if (method.download !== undefined)
    use.push(new Code(file.runtimeValue("download")));
  const scopes = method.scopes.map(
    (scope) => new Code(`${scopesModule}.${scopeNames.get(scope)!}`),
  );
  const entries: readonly [string, Data | undefined][] = [
    ["id", method.id],
    ["verb", method.httpMethod === "GET" ? undefined : method.httpMethod],
    ["path", method.path],
    ["names", Object.keys(renamed).length === 0 ? undefined : renamed],
    [
      "expand",
      needsFullExpansion(method.tokens)
        ? new Code(file.runtimeValue("expandTemplate"))
        : undefined,
    ],
    ["apiVersion", method.apiVersion],
    ["scopes", scopes.length === 0 ? undefined : scopes],
    ["use", use.length === 0 ? undefined : use],
  ];
  return entries.flatMap(([key, value]) =>
    value === undefined ? [] : [new Code(property(key, value, indent))],
  );
}

/** `paged({ items: "files" })`, with whatever differs from the usual names. */
function pagedFeature({ paging }: Method, file: FileContext): Code {
  const { token, next, items } = paging!;
  const settings: Record<string, string> = {};
  if (items !== undefined) settings["items"] = items.field;
  if (token !== "pageToken") settings["token"] = token;
  if (next !== "nextPageToken") settings["next"] = next;
  if (paging!.in === "body") settings["in"] = "body";
  const text = Object.entries(settings).map(([key, value]) =>
    property(key, value, 0),
  );
  return new Code(
    `${file.runtimeValue("paged")}(${text.length === 0 ? "{}" : `{ ${text.join(", ")} }`})`,
  );
}
