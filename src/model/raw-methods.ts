import { sortedKeys } from "../load/canonical.js";
import type { RawDocument, RawMethod, RawResource } from "../load/raw.js";

/** Method of a document as parsed, with its location. */
export interface LocatedMethod {
  /**
   * Value of `id` in the document. If it is missing, the names of the API, the
   * resources and the method, joined by dots.
   */
  readonly id: string;
  readonly raw: RawMethod;
  /** Reference tokens of the JSON pointer to the method. */
  readonly path: readonly string[];
}

/** Lists the methods of a document in canonical order. */
export function rawMethods(document: RawDocument): LocatedMethod[] {
  const methods: LocatedMethod[] = [];
  addMethods(document, [document.name ?? ""], [], methods);
  return methods;
}

function addMethods(
  resource: RawResource,
  names: readonly string[],
  path: readonly string[],
  methods: LocatedMethod[],
): void {
  for (const name of sortedKeys(resource.methods ?? {})) {
    const raw = resource.methods![name]!;
    const id = raw.id ?? [...names, name].join(".");
    methods.push({ id, raw, path: [...path, "methods", name] });
  }
  for (const name of sortedKeys(resource.resources ?? {}))
    addMethods(
      resource.resources![name]!,
      [...names, name],
      [...path, "resources", name],
      methods,
    );
}
