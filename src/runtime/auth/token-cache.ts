import type { AccessToken, Credentials } from "./contract.js";

/** Milliseconds for which `refresh` discards no further token. */
const REFRESH_INTERVAL = 10_000;

/** Token for one audience, and the request of the next one. */
interface Entry {
  token?: string;
  /** Time after which the token is replaced, in milliseconds since 1970. */
  renewAt?: number;
  expires?: number;
  pending?: Promise<unknown> | undefined;
}

/** Properties of credentials besides the token. */
export interface CredentialsExtras {
  /** Project to bill, which is sent in the `x-goog-user-project` header. */
  readonly quotaProject?: string | undefined;
  readonly universeDomain?: string | undefined;
  /** Returns the audience of the token for a URL. Default: one token for all URLs. */
  readonly audienceOf?: ((url: string) => string) | undefined;
}

/**
 * Returns credentials that cache tokens. A token is replaced five minutes before
 * it expires, or after four fifths of a lifetime that is shorter than 25 minutes.
 * While the old token is valid, a failed request has no effect.
 */
export function tokenCredentials(
  request: (audience?: string) => Promise<AccessToken>,
  { quotaProject, universeDomain, audienceOf }: CredentialsExtras = {},
): Credentials {
  // Variables of this function can't appear in the output of `inspect`.
  let entries: Record<string, Entry> = {};
  let discarded = -Infinity;

  const renew = async (entry: Entry, audience?: string): Promise<void> => {
    const { token, lifetime } = await request(audience);
    const expires = Date.now() + lifetime;
    const renewAt = expires - Math.min(300_000, lifetime / 5);
    Object.assign(entry, { token, renewAt, expires });
  };

  return {
    universeDomain,
    async headers({ url }) {
      const audience = audienceOf?.(url);
      const entry = (entries[audience!] ??= {});
      if (!(Date.now() < entry.renewAt!))
        try {
          await (entry.pending ??= renew(entry, audience).finally(
            () => (entry.pending = undefined),
          ));
        } catch (thrown) {
          if (!(Date.now() < entry.expires!)) throw thrown;
        }
      return {
        authorization: `Bearer ${entry.token}`,
        ...(quotaProject ? { "x-goog-user-project": quotaProject } : {}),
      };
    },
    refresh() {
      const now = performance.now();
      if (now - discarded < REFRESH_INTERVAL) return;
      discarded = now;
      entries = {};
    },
  };
}
