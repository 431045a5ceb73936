import { suggestion } from "../../diagnostics/closest.js";
import { ConfigError } from "../service.js";
import { isObject } from "./messages.js";

/** Bounds of an integer in the config. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/**
 * Reads members of an object in the config, and reports mistakes with their JSON
 * pointer. Messages do not repeat values, which may be keys.
 */
export class ConfigReader {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #pointer: string;

  /**
   * @param known names of allowed members
   * @throws ConfigError if the value is not an object or has an unknown member
   */
  constructor(value: unknown, pointer: string, known: readonly string[]) {
    if (!isObject(value)) {
      const name = pointer.slice(pointer.lastIndexOf("/") + 1);
      throw new ConfigError(
        pointer,
        `${name || "the chat service's config"} must be an object`,
      );
    }
    this.#members = value;
    this.#pointer = pointer;
    for (const name of Object.keys(value))
      if (!known.includes(name))
        throw new ConfigError(
          this.pointerOf(name),
          `unknown member ${JSON.stringify(name.slice(0, 100))}${suggestion(name, known)}; known: ${known.join(", ")}`,
        );
  }

  /** Returns the JSON pointer of a member. */
  pointerOf(name: string): string {
    return `${this.#pointer}/${escapeToken(name)}`;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  get(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
  }

  /** Creates an error whose message starts with the name of the member. */
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
          `${name} must contain non-empty strings`,
        );
    return list as string[];
  }

  /** Returns the members of a nested object with arbitrary names. */
  entries(name: string): [name: string, value: unknown][] {
    const value = this.get(name);
    if (value === undefined) return [];
    if (!isObject(value)) throw this.error(name, "must be an object");
    return Object.entries(value);
  }
}

/** A name as a token of a JSON pointer. */
export function escapeToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
