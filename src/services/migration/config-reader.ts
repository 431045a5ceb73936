import { ConfigError } from "../service.js";

/** Reads an object of a config file. Messages do not repeat values, which may be secrets. */
export class ConfigReader {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #pointer: string;

  /** @throws ConfigError if the value is not an object or has an unknown key */
  constructor(value: unknown, pointer: string, keys: readonly string[]) {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new ConfigError(pointer, "The value must be an object.");
    this.#members = value as Readonly<Record<string, unknown>>;
    this.#pointer = pointer;
    const unknown = Object.keys(value).find((key) => !keys.includes(key));
    if (unknown !== undefined)
      throw new ConfigError(
        this.pointerOf(unknown),
        `The key is unknown; expected one of ${keys.join(", ")}.`,
      );
  }

  /** Returns the JSON pointer of a member. */
  pointerOf(key: string | number): string {
    const token = String(key).replaceAll("~", "~0").replaceAll("/", "~1");
    return `${this.#pointer}/${token}`;
  }

  has(key: string): boolean {
    return this.#members[key] !== undefined;
  }

  text(key: string): string {
    const value = this.#members[key];
    if (typeof value === "string" && value !== "" && !value.includes("\0"))
      return value;
    throw this.#error(key, "a non-empty string");
  }

  matching(key: string, pattern: RegExp, expected: string): string {
    const value = this.text(key);
    if (pattern.test(value)) return value;
    throw this.#error(key, expected);
  }

  oneOf<T extends string>(key: string, values: readonly T[]): T {
    const found = values.find((value) => value === this.#members[key]);
    if (found !== undefined) return found;
    throw this.#error(key, `one of ${values.join(", ")}`);
  }

  texts(key: string): string[] {
    const value = this.#members[key];
    if (Array.isArray(value) && value.every((one) => typeof one === "string"))
      return value;
    throw this.#error(key, "a list of strings");
  }

  integer(key: string, fallback: number, low: number, high: number): number {
    const value = this.#members[key] ?? fallback;
    if (Number.isInteger(value)) {
      const number = value as number;
      if (number >= low && number <= high) return number;
    }
    throw this.#error(key, `an integer from ${low} to ${high}`);
  }

  /** Returns readers for the objects of a list. */
  rows(key: string, keys: readonly string[]): ConfigReader[] {
    const value = this.#members[key];
    if (!Array.isArray(value)) throw this.#error(key, "a list of objects");
    return value.map(
      (row, index) =>
        new ConfigReader(row, `${this.pointerOf(key)}/${index}`, keys),
    );
  }

  #error(key: string, expected: string): ConfigError {
    return new ConfigError(
      this.pointerOf(key),
      `The value must be ${expected}.`,
    );
  }
}
