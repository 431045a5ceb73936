import { toList } from "./escape.js";
import type { ErrorDetail, ErrorItem, Problem } from "./error.js";

/** What the body of an error says. */
export interface Envelope {
  /** The beginning of the text. */
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
 * Reads the body of an error: `{error: {...}}`, also in a list, OAuth's
 * `{error, error_description}`, `{error: text}`, `{message, errors}`,
 * `{status, msg}`; of anything else, such as a page of HTML, its first text.
 */
export function readEnvelope(text: string): Envelope {
  const body = text.slice(0, 2000);
  let root: UnknownFields;
  try {
    root = Object(toList(JSON.parse(text))[0]);
  } catch {
    return { body, serverMessage: plainText(body) || undefined };
  }
  const { error, error_description, message, msg } = root;
  const inner: UnknownFields = Object(error ?? root);
  const errors: readonly ErrorItem[] = toList(inner.errors);
  const details: readonly ErrorDetail[] = toList(inner.details);
  return {
    body,
    serverMessage: firstText(
      inner.message,
      error_description,
      message,
      msg,
      error,
    ),
    code: firstText(inner.status, error),
    reason: firstText(...[...errors, ...details].map((item) => item?.reason)),
    errors,
    details,
  };
}

/** The fields of all kinds of bodies; none of them can be trusted. */
interface UnknownFields {
  readonly error?: unknown;
  readonly error_description?: unknown;
  readonly message?: unknown;
  readonly msg?: unknown;
  readonly status?: unknown;
  readonly errors?: unknown;
  readonly details?: unknown;
}

/** The first text among the candidates. */
function firstText(...candidates: unknown[]): string | undefined {
  return candidates.find((value) => typeof value === "string");
}

/** The beginning of a page's text, which is its title. */
function plainText(page: string): string {
  return page
    .replace(/(<s(tyle|cript)[^]*?<\/s[^<>]*>|<[^<>]*>|\s)+/gi, " ")
    .trim()
    .slice(0, 200);
}
