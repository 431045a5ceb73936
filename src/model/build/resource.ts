import { sortedKeys } from "../../load/canonical.js";
import type { RawResource } from "../../load/raw.js";
import type { Mutable, Method, Resource } from "../ir.js";
import { child, type DocumentPath, type BuildContext } from "./context.js";
import { checkKeys } from "./keys.js";
import { buildMethod } from "./method.js";

/** Resources nested deeper than this are left out, with a diagnostic; real documents have at most eight. */
const MAX_DEPTH = 100;

/** A resource with its methods and sub-resources; the API itself has no name. */
export function buildResource(
  api: string,
  path: readonly string[],
  raw: RawResource,
  at: DocumentPath | undefined,
  context: BuildContext,
): Mutable<Resource> {
  const children: Resource[] = [];
  const resource: Mutable<Resource> = {
    name: path.at(-1) ?? "",
    path: [...path],
    methods: [],
    children,
  };
  if (path.length > 0) {
    checkKeys("resource", raw, at, context);
    if (raw.deprecated === true) resource.deprecated = true;
  }
  resource.methods = buildMethods(api, path, raw, at, context);
  if (path.length >= MAX_DEPTH) {
    context.report(
      "shape-too-deep",
      `resources nest deeper than ${MAX_DEPTH} levels; the rest is left out`,
      at,
    );
    return resource;
  }
  for (const name of sortedKeys(raw.resources ?? {})) {
    const place = child(at, "resources", name);
    children.push(
      buildResource(
        api,
        [...path, name],
        raw.resources![name]!,
        place,
        context,
      ),
    );
  }
  return resource;
}

function buildMethods(
  api: string,
  path: readonly string[],
  raw: RawResource,
  at: DocumentPath | undefined,
  context: BuildContext,
): Mutable<Method>[] {
  return sortedKeys(raw.methods ?? {}).flatMap((name) => {
    const id = [api, ...path, name].join(".");
    const method = buildMethod(
      id,
      name,
      raw.methods![name]!,
      child(at, "methods", name),
      context,
    );
    return method === undefined ? [] : [method];
  });
}
