/* eslint-disable */
// biome-ignore-all lint: generated

import { convertInt64Numbers } from "../../validator/int64.js";
import type {
  MethodDefinition,
  ValidationSettings,
  Violation,
} from "../contract.js";
import { ApiError, invalid, type Problem } from "../error.js";
import { isEncoded } from "./content-encoding.js";
import type { ServerOptions } from "../options.js";
import type { ParameterReader } from "../parameters/parameter-reader.js";
import { mediaType, parseJson } from "./read.js";
import type { Incoming } from "../request.js";
import { decodedText } from "./timeouts.js";

/** Default maximum size in bytes of a body that is read into memory. */
const BODY = 10 * 1024 * 1024;

/** Default maximum nesting depth of JSON. */
const DEPTH = 100;

/** Default timeout in milliseconds for receiving a body. */
const TIME = 60_000;

/**
 * Settings for reading bodies. They are derived once from the server's options.
 */
export interface BodySettings {
  /** Maximum size of a body in bytes. */
  readonly limit: number;
  /** Timeout in milliseconds for receiving the body. */
  readonly time: number;
  readonly depth: number;
  readonly validation: ValidationSettings;
}

/** Derives the settings for reading bodies from the server's options. */
export function bodySettings({
  limits = {},
  unknownFields = "ignore",
  unknownEnums,
}: ServerOptions): BodySettings {
  const { body: limit = BODY, depth = DEPTH, bodyTime: time = TIME } = limits;
  const openEnums = unknownEnums === "accept";
  return {
    limit,
    time,
    depth,
    validation: {
      mode: "request",
      unknownFields,
      openEnums,
      maxDepth: depth,
      int64Numbers: convertInt64Numbers,
    },
  };
}

/**
 * Reads parameters from the body, for methods that accept parameters in the
 * body. Also used for a GET request that was sent as POST because its URL would
 * be too long.
 */
export async function readForm(
  request: Incoming,
  method: MethodDefinition,
  reader: ParameterReader,
  { limit, time, depth }: BodySettings,
): Promise<void> {
  const type = mediaType(request.header("content-type"));
  const isOverride = method.body === undefined && method.forms === undefined;
  const isForm = type === "application/x-www-form-urlencoded";
  if (!isOverride && method.forms?.includes(type) !== true) return;
  if (!isForm && isOverride) return;
  const text = await textOf(request, limit, time);
  if (isOverride) return reader.query(text);
  if (isForm) return reader.form(text);
  const value = (text === "" ? {} : parseJson(text, depth)) ?? {};
  if (typeof value !== "object" || Array.isArray(value))
    throw invalidBody("The body must be an object.");
  reader.members(value as Record<string, unknown>);
}

/**
 * Reads and decodes the body, then calls `next` with the decoded value.
 *
 * @throws ApiError 400 for a missing or invalid body.
 */
export function readBody<T>(
  request: Incoming,
  method: MethodDefinition,
  isWrapped: boolean,
  settings: BodySettings,
  next: (body: unknown) => T | Promise<T>,
): Promise<T> {
  // The body is decoded and `next` is called in the same `then` callback,
  // because each additional promise makes requests slower.
  return textOf(request, settings.limit, settings.time).then((text) =>
    next(decodeBody(text, request, method, isWrapped, settings)),
  );
}

function textOf(
  request: Incoming,
  limit: number,
  time: number,
): Promise<string> {
  return isEncoded(request)
    ? decodedText(request, limit, time)
    : request.text(limit, time);
}

function decodeBody(
  text: string,
  request: Incoming,
  method: MethodDefinition,
  isWrapped: boolean,
  settings: BodySettings,
): unknown {
  if (text === "") {
    if (method.body !== "required") return undefined;
    throw invalidBody("The body is missing.", "required");
  }
  checkType(request);
  const content = parseJson(text, settings.depth);
  const value = isWrapped ? unwrap(content) : content;
  // A body that is `null` counts as missing, because some clients send `null`
  // instead of no body.
  if (value === null && method.body !== "required") return undefined;
  return checkBody(value, method, settings);
}

/**
 * Returns the value unchanged if it matches the schema of the request body.
 *
 * @throws ApiError that lists all validation errors. Its status is the method's
 *   `invalidInput`, or 400 by default.
 */
export function checkBody(
  value: unknown,
  { validate, invalidInput }: MethodDefinition,
  { validation }: BodySettings,
): unknown {
  if (validate === undefined) return value;
  const result = validate(value, validation);
  if (result.valid === true) return value;
  throw invalid(result.errors.map(problemOf), invalidInput);
}

function problemOf({ pointer, code, message }: Violation): Problem {
  const location = pathOf(pointer);
  const name = location === "" ? "The body" : `Body member ${location}`;
  return {
    message: `${name} ${message}.`,
    reason: code === "required" ? "required" : "invalid",
    code: code === "required" ? "missing_field" : undefined,
    location: location === "" ? undefined : location,
    locationType: "body",
  };
}

/** Converts a JSON pointer to a path such as `a.b[0].c`. */
function pathOf(pointer: string): string {
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce(
      (path, token) =>
        /^\d+$/.test(token)
          ? `${path}[${token}]`
          : path === ""
            ? token
            : `${path}.${token}`,
      "",
    );
}

/**
 * Returns the content of an envelope `{data: ...}`. A value without an envelope
 * is returned unchanged.
 */
function unwrap(value: unknown): unknown {
  return typeof value === "object" &&
    value !== null &&
    Object.hasOwn(value, "data")
    ? (value as { data: unknown }).data
    : value;
}

function checkType(request: Incoming): void {
  const header = request.header("content-type");
  if (header === "application/json") return;
  const type = mediaType(header);
  const isJson =
    type === "" || type === "application/json" || type.endsWith("+json");
  if (isJson || type === "text/plain") return;
  throw new ApiError(415, "The content type must be application/json.");
}

function invalidBody(message: string, reason: string = "badRequest"): ApiError {
  const problem: Problem = { message, reason, locationType: "body" };
  return invalid([problem]);
}
