/* eslint-disable */
// biome-ignore-all lint: generated

/** A place where what arrived is not what was sent. */
export interface Difference {
  /** Id of the method. */
  readonly method: string;
  /** `memory` or `http`. */
  readonly transport: string;
  /** What was compared, such as `parameters` or `answer`. */
  readonly step: string;
  /** JSON pointer of the place; empty for the whole. */
  readonly pointer: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** A place of a value at which it differs. */
export type ValueDifference = Pick<Difference, "pointer" | "expected" | "got">;

/** Where two values differ; a member that is `undefined` counts as absent. */
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

/** One difference as a line of text. */
export function describeDifference(one: Difference): string {
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
