import { suggestion } from "../diagnostics/closest.js";
import { escapeToken } from "../diagnostics/types.js";
import { ConfigError } from "./service.js";

/** Reads the settings of an object of the config; what nobody asked for is unknown. */
export class Settings {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #pointer: string;
  readonly #known = new Set<string>();

  /** @throws ConfigError for what is no object; undefined counts as an empty one */
  constructor(value: unknown = {}, pointer: string = "") {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new ConfigError(pointer, "has to be an object of settings");
    this.#values = value as Readonly<Record<string, unknown>>;
    this.#pointer = pointer;
  }

  /** @throws ConfigError for what is neither true nor false */
  boolean(name: string, fallback: boolean): boolean {
    const value = this.#take(name) ?? fallback;
    if (typeof value === "boolean") return value;
    throw this.#wrong(name, "has to be true or false");
  }

  /** @throws ConfigError for what is no whole number within the bounds */
  integer(name: string, least: number, most: number): number | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (
      Number.isInteger(value) &&
      Number(value) >= least &&
      Number(value) <= most
    )
      return Number(value);
    throw this.#wrong(
      name,
      `has to be a whole number from ${least} to ${most}`,
    );
  }

  /** @throws ConfigError for what is not a list of texts */
  texts(name: string): readonly string[] | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every((one) => typeof one === "string"))
      return value;
    throw this.#wrong(name, "must be a list of texts");
  }

  /** @throws ConfigError for settings that nobody asked for */
  done(): void {
    const known = [...this.#known];
    for (const name of Object.keys(this.#values))
      if (!this.#known.has(name))
        throw this.#wrong(name, `is no setting${suggestion(name, known)}`);
  }

  #take(name: string): unknown {
    this.#known.add(name);
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }

  #wrong(name: string, what: string): ConfigError {
    const pointer = `${this.#pointer}/${escapeToken(name)}`;
    return new ConfigError(pointer, `${name} ${what}`);
  }
}
