/**
 * Tests whether a revision is older than another one. Revisions of published
 * documents are dates (`20240131`). Returns false for revisions in other forms,
 * because their order is unknown.
 */
export function isOlder(
  revision: string | undefined,
  other: string | undefined,
): boolean {
  return (
    revision !== undefined &&
    other !== undefined &&
    revision.length === other.length &&
    /^\d{8,}$/.test(revision) &&
    /^\d{8,}$/.test(other) &&
    revision < other
  );
}
