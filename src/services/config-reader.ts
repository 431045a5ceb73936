import { suggestion } from "../diagnostics/closest.js";
import { escapeToken } from "../diagnostics/types.js";
import { isObject } from "../diagnostics/json.js";
import { ConfigError } from "./service.js";

/** Allowed range of an integer in the config. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Units of durations in milliseconds. */
const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const MAX_DURATION = 36_500 * UNITS["d"]!;

/**
 * Class that reads the members of an object in the config. Its errors contain
 * the JSON pointer to the mistake. Their messages do not contain values,
 * because a value can be an API key.
 */
export class ConfigReader {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #pointer: string;

  /**
   * @param known names of the allowed members
   * @throws ConfigError if the value is not an object or has an unknown member
   */
  constructor(value: unknown, pointer: string, known: readonly string[]) {
    if (!isObject(value)) {
      const name = pointer.slice(pointer.lastIndexOf("/") + 1);
      throw new ConfigError(
        pointer,
        `${name || "the section"} must be an object`,
      );
    }
    this.#members = value;
    this.#pointer = pointer;
    for (const name of Object.keys(value))
      if (!known.includes(name))
        throw new ConfigError(
          this.pointerOf(name),
          `unknown member ${JSON.stringify(name.slice(0, 100))}${suggestion(name, known)}; allowed members: ${known.join(", ")}`,
        );
  }

  /** Returns the JSON pointer to a member. */
  pointerOf(name: string): string {
    return `${this.#pointer}/${escapeToken(name)}`;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  get(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
  }

  /** Returns an error whose message starts with the name of the member. */
  error(name: string, message: string): ConfigError {
    return new ConfigError(this.pointerOf(name), `${name} ${message}`);
  }

  text(name: string): string | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (typeof value !== "string" || value === "")
      throw this.error(name, "must be a non-empty string");
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.get(name);
    if (value === undefined || typeof value === "boolean") return value;
    throw this.error(name, "must be true or false");
  }

  integer(name: string, { min, max }: Bounds): number | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (!Number.isInteger(value) || Number(value) < min || Number(value) > max)
      throw this.error(name, `must be an integer from ${min} to ${max}`);
    return Number(value);
  }

  /**
   * Returns a duration such as `90d` in milliseconds. Units are `s`, `m`, `h` and
   * `d`; the maximum is 100 years.
   */
  duration(name: string): number | undefined {
    const text = this.get(name);
    if (text === undefined) return undefined;
    const [, digits, unit] =
      /^([1-9]\d{0,9})([smhd])$/.exec(String(text)) ?? [];
    const duration = Number(digits) * (UNITS[unit ?? ""] ?? Number.NaN);
    if (typeof text === "string" && duration <= MAX_DURATION) return duration;
    throw this.error(
      name,
      "must be a duration such as 90d, 12h, 30m or 45s, of at most 36500d",
    );
  }

  list(name: string): readonly unknown[] | undefined {
    const value = this.get(name);
    if (value === undefined || Array.isArray(value)) return value;
    throw this.error(name, "must be a list");
  }

  texts(name: string): readonly string[] | undefined {
    const list = this.list(name);
    if (list === undefined) return undefined;
    for (const [index, element] of list.entries())
      if (typeof element !== "string" || element === "")
        throw new ConfigError(
          `${this.pointerOf(name)}/${index}`,
          `every element of ${name} must be a non-empty string`,
        );
    return list as string[];
  }

  /** Returns the members of a nested object that accepts any member names. */
  entries(name: string): [name: string, value: unknown][] {
    const value = this.get(name);
    if (value === undefined) return [];
    if (!isObject(value)) throw this.error(name, "must be an object");
    return Object.entries(value);
  }

  /** Returns a required string, which must not be empty or contain NUL. */
  requiredText(name: string): string {
    const value = this.text(name);
    if (value !== undefined && !value.includes("\0")) return value;
    throw this.error(name, "must be a non-empty string");
  }

  matching(name: string, pattern: RegExp, expected: string): string {
    const value = this.requiredText(name);
    if (pattern.test(value)) return value;
    throw this.error(name, `must be ${expected}`);
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T {
    const value = values.find((allowed) => allowed === this.get(name));
    if (value !== undefined) return value;
    throw this.error(name, `must be one of ${values.join(", ")}`);
  }

  requiredTexts(name: string): readonly string[] {
    const value = this.texts(name);
    if (value !== undefined) return value;
    throw this.error(name, "must be a list of strings");
  }

  /** Returns a reader for each object in a required list. */
  rows(name: string, known: readonly string[]): ConfigReader[] {
    const list = this.list(name);
    if (list === undefined) throw this.error(name, "must be a list of objects");
    return list.map(
      (row, index) =>
        new ConfigReader(row, `${this.pointerOf(name)}/${index}`, known),
    );
  }
}

/**
 * Reads a secret from an environment variable.
 *
 * @throws ConfigError if the variable is not set or does not contain a valid
 *   key
 */
export function readSecret(
  variable: string,
  reader: ConfigReader,
  member: string,
): string {
  const secret = process.env[variable]?.trim() ?? "";
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  const problem =
    secret === ""
      ? "is not set"
      : "contains characters that are not allowed in keys";
  throw reader.error(
    member,
    `refers to the environment variable ${JSON.stringify(variable.slice(0, 100))}, which ${problem}`,
  );
}
