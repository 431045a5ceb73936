/* eslint-disable */
// biome-ignore-all lint: generated

/** Nanoseconds of the digits after the point; `undefined`: no digits. */
export function decodeFraction(digits: string | undefined): number {
  return Number((digits ?? "").padEnd(9, "0"));
}

/**
 * The point and 3, 6 or 9 digits, or nothing for 0.
 *
 * @throws RangeError if not a whole number from 0 to 999 999 999.
 */
export function encodeFraction(nanos: number): string {
  if (!Number.isInteger(nanos) || nanos < 0 || nanos >= 1e9)
    throw new RangeError(`not nanoseconds within a second: ${nanos}`);
  if (nanos === 0) return "";
  return (
    "." +
    String(nanos)
      .padStart(9, "0")
      .replace(/(000){1,2}$/, "")
  );
}
