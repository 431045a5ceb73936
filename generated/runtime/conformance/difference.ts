/* eslint-disable */
// biome-ignore-all lint: generated

/** Difference between a value that was sent and the value that was received. */
export interface Difference {
  /** ID of the method. */
  readonly method: string;
  /** Transport: `memory` or `http`. */
  readonly transport: string;
  /** Name of the compared value, such as `full parameters`. */
  readonly step: string;
  /**
   * JSON pointer to the difference within the compared value; empty for the
   * root.
   */
  readonly pointer: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** Difference within a value, without the name of the check. */
export type ValueDifference = Pick<Difference, "pointer" | "expected" | "got">;

/**
 * Returns the differences between two values. A member whose value is
 * `undefined` is treated as absent.
 */
export function differences(
  expected: unknown,
  got: unknown,
  pointer: string = "",
): ValueDifference[] {
  if (Object.is(expected, got)) return [];
  if (!isHolder(expected) || !isHolder(got))
    return [{ pointer, expected, got }];
  if (Array.isArray(expected) !== Array.isArray(got))
    return [{ pointer, expected, got }];
  const names = new Set([...Object.keys(expected), ...Object.keys(got)]);
  return [...names].flatMap((name) =>
    differences(
      member(expected, name),
      member(got, name),
      `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    ),
  );
}

/** Formats a difference as a line of text. */
export function describe(one: Difference): string {
  const { method, transport, step, pointer, expected, got } = one;
  return `${method} (${transport}) ${step}${pointer}: expected ${show(expected)}, got ${show(got)}`;
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function member(holder: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(holder, name) ? holder[name] : undefined;
}

function show(value: unknown): string {
  if (value === undefined) return "nothing";
  return (JSON.stringify(value) ?? String(value)).slice(0, 300);
}
