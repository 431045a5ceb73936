/** Tests whether a source is a URL, not a path or glob. */
export function isUrl(source: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(source);
}
