/** Pinned document of an API. */
export interface LockEntry {
  /** URL that the document was fetched from. */
  readonly url: string;
  /** Revision of the document; absent if it has none. */
  readonly revision?: string;
  /** SHA-256 of the canonical form (load/canonical.ts), in hexadecimal. */
  readonly digest: string;
}

/** Tests for a revision that can be printed and stored. */
export function isRevision(value: unknown): value is string {
  return typeof value === "string" && /^[\w.:+-]{1,100}$/.test(value);
}

/** Returns ` (revision 20240131)`; empty without a revision. */
export function revisionText({ revision }: LockEntry): string {
  return revision === undefined ? "" : ` (revision ${revision})`;
}

/** Compares URLs after normalisation. */
export function isSameUrl(a: string, b: string): boolean {
  const normal = (text: string): string => {
    if (!URL.canParse(text)) return text;
    const url = new URL(text);
    url.hash = "";
    return url.href;
  };
  return normal(a) === normal(b);
}
