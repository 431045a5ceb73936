/* eslint-disable */
// biome-ignore-all lint: generated

import { isObject } from "./containers.js";
import { fail } from "./expected.js";
import type { Check, Run } from "./contract.js";
import { report } from "./run.js";

/** Check function of a schema that accepts any value. */
export function anything(): boolean {
  return false;
}

/** Check functions of the variants, keyed by the value of the discriminator. */
export type Options = ReadonlyMap<string, Check>;

/**
 * Checks an object whose discriminator property selects one of several schemas
 * (variants). A base schema can declare properties that all variants have. If a
 * base schema exists, undeclared properties are not reported, because neither
 * the base schema nor the variant declares all properties.
 */
export function variant(
  run: Run,
  value: unknown,
  discriminant: string,
  options: Options,
  base?: Check,
): boolean {
  if (!isObject(value)) return fail(run, undefined, value, "object");
  const { rejectsUnknown } = run;
  if (base !== undefined) run.rejectsUnknown = false;
  const stop =
    (base !== undefined && base(value, run)) ||
    choose(run, value, discriminant, options);
  run.rejectsUnknown = rejectsUnknown;
  return stop;
}

function choose(
  run: Run,
  value: Record<string, unknown>,
  discriminant: string,
  options: Options,
): boolean {
  if (!Object.hasOwn(value, discriminant))
    return (
      !run.isPartial && report(run, discriminant, "required", "is missing")
    );
  const name = value[discriminant];
  if (typeof name !== "string") return fail(run, discriminant, name, "string");
  const check = options.get(name);
  if (check !== undefined) return check(value, run);
  if (run.opensEnums) return false;
  const expected = [...options.keys()].slice(0, 20).join(", ");
  const message = `must be one of ${expected}`;
  return report(run, discriminant, "enum", message, expected);
}
