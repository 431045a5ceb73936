/**
 * Tests whether a revision is older than another one. Revisions of published
 * documents are dates (`20240131`); other forms can't be ordered.
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
