/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Percent-encodes all characters except `A-Za-z0-9-._~`.
 *
 * @throws URIError for a lone surrogate.
 */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => "%2" + "1789A"["!'()*".indexOf(char)],
  );
}

/**
 * Encodes the value of `{+variable}` as in RFC 6570: reserved characters and
 * percent-encoded triplets are not encoded. In contrast to RFC 6570, also
 * encodes `?` and `#`, because they would end the path.
 *
 * @throws URIError for a lone surrogate.
 */
export function keepReserved(text: string): string {
  return text.replace(
    /%(?![\da-f]{2})|[^\w.~:/[\]@!$&'()*+,;=%-]+/gi,
    encodeURIComponent,
  );
}

/**
 * Formats the value of a parameter as text: dates in RFC 3339 format.
 *
 * @throws TypeError for other objects and for functions, because they can
 *   contain secrets.
 */
export function toText(value: {}, name: string): string {
  const text = (value as Partial<Date>).toISOString?.() ?? value;
  if (Object(text) === text)
    throw new TypeError(`${name} must not be an object: use requestBody`);
  return String(text);
}

/**
 * Converts a value to an array: arrays are returned unchanged, and other values
 * become an array with one element.
 */
export function toList<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}

/**
 * Returns an own property of an object. Inherited properties are ignored,
 * because the name can be `constructor` or `toString`.
 */
export function ownValue<T>(
  object: Readonly<Record<string, T>>,
  name: string,
): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
