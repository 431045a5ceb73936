import { suggestion } from "../../diagnostics/closest.js";
import { ConfigError } from "../service.js";
import { isObject } from "../../diagnostics/json.js";

/** Bounds of a number in the config. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/**
 * An object of the config at its place: reads members, and says what is wrong
 * and where. Values are never repeated, as one of them may be a key.
 */
export class Place {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #pointer: string;

  /**
   * @param known all names that members may have
   * @throws ConfigError for what is no object, or has another member
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
          this.at(name),
          `unknown member ${JSON.stringify(name.slice(0, 100))}${suggestion(name, known)}; known: ${known.join(", ")}`,
        );
  }

  /** The pointer of a member. */
  at(name: string): string {
    return `${this.#pointer}/${escapeToken(name)}`;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  get(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
  }

  /** A mistake in a member, told by what follows its name. */
  wrong(name: string, message: string): ConfigError {
    return new ConfigError(this.at(name), `${name} ${message}`);
  }

  text(name: string): string | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (typeof value !== "string" || value === "")
      throw this.wrong(name, "must be a text that is not empty");
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.get(name);
    if (value === undefined || typeof value === "boolean") return value;
    throw this.wrong(name, "must be true or false");
  }

  whole(name: string, { min, max }: Bounds): number | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (!Number.isInteger(value) || Number(value) < min || Number(value) > max)
      throw this.wrong(name, `must be a whole number from ${min} to ${max}`);
    return Number(value);
  }

  list(name: string): readonly unknown[] | undefined {
    const value = this.get(name);
    if (value === undefined || Array.isArray(value)) return value;
    throw this.wrong(name, "must be a list");
  }

  texts(name: string): readonly string[] | undefined {
    const list = this.list(name);
    if (list === undefined) return undefined;
    for (const [index, one] of list.entries())
      if (typeof one !== "string" || one === "")
        throw new ConfigError(
          `${this.at(name)}/${index}`,
          `${name} must hold texts that are not empty`,
        );
    return list as string[];
  }

  /** The members of an object whose names are free. */
  entries(name: string): [name: string, value: unknown][] {
    const value = this.get(name);
    if (value === undefined) return [];
    if (!isObject(value)) throw this.wrong(name, "must be an object");
    return Object.entries(value);
  }
}

/** A name as a token of a JSON pointer. */
export function escapeToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
