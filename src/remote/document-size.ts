import { isObject } from "../diagnostics/json.js";

/** Number of methods and schemas of a document. */
export interface DocumentSize {
  readonly methods: number;
  readonly schemas: number;
}

/**
 * Counts the methods and schemas of a document. The document need not be valid,
 * since a stored document can have been edited.
 */
export function sizeOf(
  document: Readonly<Record<string, unknown>>,
): DocumentSize {
  let methods = 0;
  const pending: unknown[] = [document];
  while (pending.length > 0) {
    const resource = pending.pop();
    if (!isObject(resource)) continue;
    methods += membersOf(resource["methods"]).length;
    for (const child of membersOf(resource["resources"])) pending.push(child);
  }
  return { methods, schemas: membersOf(document["schemas"]).length };
}

function membersOf(value: unknown): readonly unknown[] {
  return isObject(value) ? Object.values(value) : [];
}

/**
 * Describes the loss if a document has less than half of its methods or schemas
 * left, otherwise returns undefined.
 */
export function lossOf(
  before: DocumentSize,
  after: DocumentSize,
): string | undefined {
  const lost = (["methods", "schemas"] as const).filter(
    (kind) => after[kind] * 2 < before[kind],
  );
  return lost.length === 0
    ? undefined
    : lost
        .map((kind) => `${after[kind]} of ${before[kind]} ${kind}`)
        .join(" and ");
}
