/**
 * True in the projects `long` and `corpus`: every TypeScript version, and loops at
 * their full length. `npm test` runs the same tests with the newest version and
 * shorter loops.
 */
export const isFull: boolean = process.env["TEST_FULL"] === "1";

/**
 * Returns the number of rounds of a loop: all of them in the project `long`, else
 * a twentieth, or the number given for `npm test`.
 */
export function rounds(
  full: number,
  short: number = Math.ceil(full / 20),
): number {
  return isFull ? full : short;
}
