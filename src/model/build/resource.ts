import { sortedKeys } from "../../load/canonical.js";
import type { RawResource } from "../../load/raw.js";
import type { Mutable, Method, Resource } from "../ir.js";
import { child, type DocumentPath, type BuildContext } from "./context.js";
import { checkKeys } from "./keys.js";
import { buildMethod } from "./method.js";

/**
 * Maximum nesting depth of resources. Deeper resources are reported and
 * omitted; published documents have at most eight levels.
 */
const MAX_DEPTH = 100;

/**
 * Resource under construction: its methods are completed after all schemas are
 * built.
 */
export interface MutableResource extends Resource {
  deprecated?: boolean;
  methods: Mutable<Method>[];
  readonly children: MutableResource[];
}

/**
 * Builds a resource with its methods and child resources. The API itself is the
 * root resource, which has no name.
 */
export function buildResource(
  api: string,
  path: readonly string[],
  raw: RawResource,
  at: DocumentPath | undefined,
  context: BuildContext,
): MutableResource {
  const children: MutableResource[] = [];
  const resource: MutableResource = {
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
      `resources are nested deeper than ${MAX_DEPTH} levels; deeper resources are omitted`,
      at,
    );
    return resource;
  }
  for (const name of sortedKeys(raw.resources ?? {})) {
    children.push(
      buildResource(
        api,
        [...path, name],
        raw.resources![name]!,
        child(at, "resources", name),
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
