import { ConfigError } from "../service.js";

/** Reads an object of a config file, and tells where it is wrong. Values are never repeated: they may be secrets. */
export class ConfigReader {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #pointer: string;

  /** @throws ConfigError for what is no object, or has an unknown key */
  constructor(value: unknown, pointer: string, keys: readonly string[]) {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new ConfigError(pointer, "It has to be an object.");
    this.#members = value as Readonly<Record<string, unknown>>;
    this.#pointer = pointer;
    const unknown = Object.keys(value).find((key) => !keys.includes(key));
    if (unknown !== undefined)
      throw new ConfigError(
        this.at(unknown),
        `The key is unknown. Known are ${keys.join(", ")}.`,
      );
  }

  /** JSON pointer of a member. */
  at(key: string | number): string {
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
    throw this.#wrong(key, "a text that is not empty");
  }

  matching(key: string, pattern: RegExp, wanted: string): string {
    const value = this.text(key);
    if (pattern.test(value)) return value;
    throw this.#wrong(key, wanted);
  }

  oneOf<T extends string>(key: string, values: readonly T[]): T {
    const found = values.find((value) => value === this.#members[key]);
    if (found !== undefined) return found;
    throw this.#wrong(key, `one of ${values.join(", ")}`);
  }

  texts(key: string): string[] {
    const value = this.#members[key];
    if (Array.isArray(value) && value.every((one) => typeof one === "string"))
      return value;
    throw this.#wrong(key, "a list of texts");
  }

  whole(key: string, fallback: number, low: number, high: number): number {
    const value = this.#members[key] ?? fallback;
    if (Number.isInteger(value)) {
      const number = value as number;
      if (number >= low && number <= high) return number;
    }
    throw this.#wrong(key, `a whole number from ${low} to ${high}`);
  }

  /** The objects of a list. */
  rows(key: string, keys: readonly string[]): ConfigReader[] {
    const value = this.#members[key];
    if (!Array.isArray(value)) throw this.#wrong(key, "a list of objects");
    return value.map(
      (row, index) => new ConfigReader(row, `${this.at(key)}/${index}`, keys),
    );
  }

  #wrong(key: string, wanted: string): ConfigError {
    return new ConfigError(this.at(key), `It has to be ${wanted}.`);
  }
}
