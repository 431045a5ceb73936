/* eslint-disable */
// biome-ignore-all lint: generated

import { toList } from "./escape.js";
import type { ErrorDetail, ErrorItem, Problem } from "./error.js";

/** Parsed body of an error response. */
export interface Envelope {
  /** First 2000 characters of the body. */
  readonly body: string;
  readonly serverMessage?: string | undefined;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly errors?: readonly ErrorItem[] | undefined;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly data?: unknown;
  readonly field?: string | undefined;
  readonly problems?: readonly Problem[] | undefined;
}

/**
 * Parses the body of an error response. Accepts `{error: {...}}`, also in a
 * list, OAuth's `{error, error_description}`, `{error: text}`,
 * `{message, errors}` and `{status, msg}`. For any other body, such as an HTML
 * page, the message is the beginning of the text.
 */
export function readEnvelope(text: string): Envelope {
  const body = text.slice(0, 2000);
  let root: UnknownFields;
  try {
    root = Object(toList(JSON.parse(text))[0]);
  } catch {
    // The first 200 characters of the text in an HTML page usually include the
    // title.
    const plain = body
      .replace(/(<s(tyle|cript)[^]*?<\/s[^<>]*>|<[^<>]*>|\s)+/gi, " ")
      .trim()
      .slice(0, 200);
    return { body, serverMessage: plain || undefined };
  }
  const { error, error_description, message, msg } = root;
  const inner: UnknownFields = Object(error ?? root);
  const errors: readonly ErrorItem[] = toList(inner.errors ?? []);
  const details: readonly ErrorDetail[] = toList(inner.details ?? []);
  return {
    body,
    serverMessage: firstText([
      inner.message,
      error_description,
      message,
      msg,
      error,
    ]),
    code: firstText([inner.status, error]),
    reason: firstText([...errors, ...details].map((item) => item?.reason)),
    errors,
    details,
  };
}

/**
 * Union of the fields in all supported error bodies. The types of the values
 * are not verified.
 */
interface UnknownFields {
  readonly error?: unknown;
  readonly error_description?: unknown;
  readonly message?: unknown;
  readonly msg?: unknown;
  readonly status?: unknown;
  readonly errors?: unknown;
  readonly details?: unknown;
}

/** Returns the first candidate that is a string. */
function firstText(candidates: unknown[]): string | undefined {
  return candidates.find((value) => typeof value === "string");
}
