import { CredentialsError } from "./error.js";

/** Format of the token of an identity provider. */
export interface SubjectTokenFormat {
  /** Default: `text`. */
  readonly type?: string | undefined;
  /** Property that contains the token, for the type `json`. */
  readonly subject_token_field_name?: string | undefined;
}

/**
 * Returns the token that a file or response contains.
 *
 * @throws CredentialsError if there is none; the message does not contain the
 *   text.
 */
export function subjectTokenOf(
  text: string,
  format?: SubjectTokenFormat | null,
): string {
  const { type = "text", subject_token_field_name: name } = format ?? {};
  let token: unknown = text;
  if (type === "json")
    try {
      token = Object(JSON.parse(text))[name!];
    } catch {
      token = undefined;
    }
  else if (type !== "text")
    throw new CredentialsError('format.type must be "text" or "json"');
  if (typeof token === "string" && token) return token;
  throw new CredentialsError(
    `credential_source has no token${type === "json" ? ` in the field ${name}` : ""}`,
  );
}
