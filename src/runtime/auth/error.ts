/** Properties of a failed token request. */
export interface CredentialsErrorDetails {
  /** HTTP status of the token server, if it responded. */
  readonly status?: number | undefined;
  /** Error code of the token server, such as `invalid_grant`. */
  readonly code?: string | undefined;
}

/** Class `Error` whose type also has the members of {@link CredentialsErrorDetails}. */
const Base: new (message: string) => Error & CredentialsErrorDetails =
  Error as never;

/**
 * Error of credentials: an invalid key file, or a failed token request. It
 * contains no tokens, keys or passwords.
 */
export class CredentialsError extends Base {
  override readonly name: string = "CredentialsError";

  constructor(message: string, details?: CredentialsErrorDetails) {
    super(message);
    Object.assign(this, details);
  }
}
