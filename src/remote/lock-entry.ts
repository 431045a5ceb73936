/** Entry of the lock file. It pins the document of an API. */
export interface LockEntry {
  /** URL from which the document was fetched. */
  readonly url: string;
  /** Revision of the document; absent if the document declares none. */
  readonly revision?: string;
  /**
   * SHA-256 of the canonical text of the document (load/canonical.ts), in
   * hexadecimal.
   */
  readonly digest: string;
}

/**
 * Tests whether a value is a revision that can safely be printed and stored.
 */
export function isRevision(value: unknown): value is string {
  return typeof value === "string" && /^[\w.:+-]{1,100}$/.test(value);
}

/**
 * Formats a revision for messages: ` (revision 20240131)`; empty if there is no
 * revision.
 */
export function revisionText({ revision }: LockEntry): string {
  return revision === undefined ? "" : ` (revision ${revision})`;
}

/** Tests whether two URLs are equal after normalization. */
export function isSameUrl(a: string, b: string): boolean {
  const normal = (text: string): string => {
    if (!URL.canParse(text)) return text;
    const url = new URL(text);
    url.hash = "";
    return url.href;
  };
  return normal(a) === normal(b);
}
