/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Parses the digits after the decimal point as nanoseconds. Returns 0 if there
 * are no digits.
 */
export function decodeFraction(digits: string | undefined): number {
  return Number((digits ?? "").padEnd(9, "0"));
}

/**
 * Formats nanoseconds as a decimal point and 3, 6 or 9 digits. Returns an empty
 * string for 0.
 *
 * @throws RangeError unless `nanos` is an integer from 0 to 999,999,999.
 */
export function encodeFraction(nanos: number): string {
  if (!Number.isInteger(nanos) || nanos < 0 || nanos >= 1e9)
    throw new RangeError(
      `nanos must be an integer from 0 to 999999999; received ${nanos}`,
    );
  if (nanos === 0) return "";
  return (
    "." +
    String(nanos)
      .padStart(9, "0")
      .replace(/(000){1,2}$/, "")
  );
}
