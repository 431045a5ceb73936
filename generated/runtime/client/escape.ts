/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Percent-encodes all but `A-Za-z0-9-._~`.
 *
 * @throws URIError for a lone surrogate.
 */
export function encode(text: string): string {
  if (!/[^\w.~-]/.test(text)) return text;
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => "%" + char.charCodeAt(0).toString(16).toUpperCase(),
  );
}

/**
 * Encodes the value of `{+variable}` as RFC 6570 does: reserved characters and
 * percent triplets stay; but not `?` and `#`, which would cut the path.
 *
 * @throws URIError for a lone surrogate.
 */
export function keepReserved(text: string): string {
  return text.replace(
    /%(?![\da-f]{2})|[^\w.~:/[\]@!$&'()*+,;=%-]+/gi,
    encodeURIComponent,
  );
}

/** Encodes all but unreserved characters and `/`. */
export function encodeSegments(text: string): string {
  return encode(text).replace(/%2F/g, "/");
}

/** A date, of whichever library, becomes RFC 3339 text; other objects JSON. */
export function toText(value: {}): string {
  const text = (value as Partial<Date>).toISOString?.();
  return (
    text ?? (typeof value === "object" ? JSON.stringify(value) : String(value))
  );
}

/** A list as it is; anything else as a list of one, nothing as an empty one. */
export function toList<T>(value: unknown): readonly T[] {
  if (value == null) return [];
  return Array.isArray(value) ? value : [value as T];
}
