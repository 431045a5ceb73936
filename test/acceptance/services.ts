import { afterAll, expect } from "vitest";
import {
  runServices,
  type RunningServices,
  type RunOptions,
} from "../../src/services/run.js";
import type { Statement } from "./acceptance.js";
import type { Draft } from "./format/library.js";

/** Runs services for the tests of a file, as `gen serve` does. */
export async function serving(
  options: Omit<RunOptions, "log">,
): Promise<RunningServices> {
  const running = await runServices({ log: () => undefined, ...options });
  afterAll(() => running.close());
  return running;
}

/** Response with its body, as JSON if it is JSON. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Draft;
}

/** Sends a request and reads its response. */
export async function request(
  url: string,
  init: RequestInit = {},
): Promise<Received> {
  const response = await fetch(url, { redirect: "manual", ...init });
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get("content-type")?.includes("json") === true;
  return {
    status,
    headers,
    text,
    json: isJson && text !== "" ? JSON.parse(text) : undefined,
  };
}

/** Type of a member, as the source documents name it. */
export type MemberType =
  | "string"
  | "integer"
  | "number"
  | "boolean"
  | "object"
  | "array of strings"
  | "array of objects"
  | "UTC timestamp"
  | "timestamp"
  | "URL";

const isUrl = (value: unknown): boolean =>
  typeof value === "string" && URL.canParse(value.replace(/\{[^}]*\}/g, ""));

const CHECKS: Readonly<Record<MemberType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === "boolean",
  object: (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value),
  "array of strings": (value) =>
    Array.isArray(value) && value.every((item) => typeof item === "string"),
  "array of objects": (value) =>
    Array.isArray(value) && value.every((item) => typeof item === "object"),
  "UTC timestamp": (value) =>
    typeof value === "string" &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value),
  timestamp: (value) =>
    typeof value === "string" &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value),
  URL: isUrl,
};

/** Value at a path of members, such as `profile.media.avatar`. */
export function member(value: Draft, path: string): Draft {
  return path
    .split(".")
    .reduce((owner, name) => (owner === null ? null : owner?.[name]), value);
}

/** Member of a schema, and the type that its source gives it. */
export interface Member {
  readonly path: string;
  readonly type: MemberType;
  /** True if `null` is allowed. */
  readonly nullable?: boolean;
}

/** Form of the values that a service returns. */
export interface Form {
  /** Prefix of ids. */
  readonly prefix: string;
  /** Name of the object in statements, such as `an item`. */
  readonly name: string;
  readonly validate: (value: unknown) => { readonly valid: boolean };
  /** Value that the service returned. */
  readonly value: () => Draft;
}

/**
 * Returns statements about each member: the service returns it, and the
 * description gives it its type.
 */
export function memberStatements(
  form: Form,
  members: readonly Member[],
): Statement[] {
  const { prefix, name, validate, value } = form;
  return members.flatMap(({ path, type, nullable = false }): Statement[] => [
    {
      id: `${prefix}/${path}/returned`,
      statement: `The service returns \`${path}\` of ${name}: ${type}${nullable ? " or null" : ""}.`,
      check: () => {
        const found = member(value(), path);
        if (nullable && found === null) return;
        expect(CHECKS[type](found), JSON.stringify(found)).toBe(true);
      },
    },
    {
      id: `${prefix}/${path}/described`,
      statement: `The description gives \`${path}\` of ${name} this type.`,
      check: () => {
        const other = structuredClone(value());
        expect(validate(other)).toMatchObject({ valid: true });
        const names = path.split(".");
        const last = names.pop()!;
        const owner =
          names.length === 0 ? other : member(other, names.join("."));
        owner[last] = type === "object" ? "text" : { other: 1 };
        expect(validate(other).valid).toBe(false);
      },
    },
  ]);
}
