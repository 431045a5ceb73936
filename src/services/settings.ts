import { suggestion } from "../diagnostics/closest.js";
import { escapeToken } from "../diagnostics/types.js";
import { ConfigError } from "./service.js";

/**
 * Reads settings from an object in the config. Settings that are never read are
 * unknown; `done` reports them.
 */
export class Settings {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #pointer: string;
  readonly #known = new Set<string>();

  /**
   * @throws ConfigError if the value is not an object; undefined is treated as
   *   an empty object
   */
  constructor(value: unknown = {}, pointer: string = "") {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new ConfigError(pointer, "must be an object of settings");
    this.#values = value as Readonly<Record<string, unknown>>;
    this.#pointer = pointer;
  }

  /** @throws ConfigError if the value is not a boolean */
  boolean(name: string, fallback: boolean): boolean {
    const value = this.#take(name) ?? fallback;
    if (typeof value === "boolean") return value;
    throw this.#error(name, "must be true or false");
  }

  /** @throws ConfigError if the value is not an integer within the bounds */
  integer(name: string, min: number, max: number): number | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max)
      return Number(value);
    throw this.#error(name, `must be an integer from ${min} to ${max}`);
  }

  /** @throws ConfigError if the value is not a list of strings */
  texts(name: string): readonly string[] | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (
      Array.isArray(value) &&
      value.every((element) => typeof element === "string")
    )
      return value;
    throw this.#error(name, "must be a list of strings");
  }

  /**
   * Must be called after all settings have been read.
   *
   * @throws ConfigError if a setting was never read, since such a setting is
   *   unknown
   */
  done(): void {
    const known = [...this.#known];
    for (const name of Object.keys(this.#values))
      if (!this.#known.has(name))
        throw this.#error(name, `is not a setting${suggestion(name, known)}`);
  }

  #take(name: string): unknown {
    this.#known.add(name);
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }

  #error(name: string, problem: string): ConfigError {
    const pointer = `${this.#pointer}/${escapeToken(name)}`;
    return new ConfigError(pointer, `${name} ${problem}`);
  }
}
