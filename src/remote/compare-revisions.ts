/**
 * Tests whether a revision is older than another one. Revisions of real
 * documents are dates (`20240131`); other forms have no order.
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
