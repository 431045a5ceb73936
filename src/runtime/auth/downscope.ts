import type { Credentials, Source, TokenRequestOptions } from "./contract.js";
import { CredentialsError } from "./error.js";
import { ACCESS_TOKEN, exchangeToken } from "./security-token-service.js";
import { sourceToken, universeOf, withSource } from "./source.js";
import { tokenCredentials } from "./token-cache.js";

/** Rule that grants permissions for one resource of Cloud Storage. */
export interface AccessBoundaryRule {
  /** Resource, such as `//storage.googleapis.com/projects/_/buckets/a`. */
  readonly availableResource: string;
  /** Roles with the prefix `inRole:`, such as `inRole:roles/storage.objectViewer`. */
  readonly availablePermissions: readonly string[];
  /** Condition in the Common Expression Language. */
  readonly availabilityCondition?:
    | {
        readonly expression: string;
        readonly title?: string | undefined;
        readonly description?: string | undefined;
      }
    | undefined;
}

/** Upper limit of the permissions of a token: the union of 1 to 10 rules. */
export interface AccessBoundary {
  readonly accessBoundaryRules: readonly AccessBoundaryRule[];
}

/** Settings of downscoped credentials. */
export interface DownscopeOptions extends TokenRequestOptions {
  readonly accessBoundary: AccessBoundary;
  /** Default: that of the source credentials, or `googleapis.com`. */
  readonly universeDomain?: string | undefined;
}

/**
 * Returns credentials whose tokens have fewer permissions than those of the
 * source credentials, to pass them to a less trusted program. Only Cloud Storage
 * supports them.
 *
 * @throws CredentialsError for less than 1 or more than 10 rules, and for a rule
 *   without permissions.
 */
export function downscope(
  source: Source,
  options: DownscopeOptions,
): Credentials {
  const { accessBoundary } = options;
  const { length } = accessBoundary.accessBoundaryRules;
  if (length < 1 || length > 10)
    throw new CredentialsError(
      `accessBoundaryRules must have 1 to 10 rules, not ${length}`,
    );
  for (const rule of accessBoundary.accessBoundaryRules)
    if (!rule.availablePermissions.length)
      throw new CredentialsError("availablePermissions must not be empty");
  const domain =
    options.universeDomain ??
    (source as { universeDomain?: string }).universeDomain;
  const url = `https://sts.${universeOf(domain)}/v1/token`;
  const request = () =>
    withSource(source, async () => {
      const subjectToken = await sourceToken(source, url);
      const types = { subjectTokenType: ACCESS_TOKEN };
      const exchange = { subjectToken, ...types, options: { accessBoundary } };
      return exchangeToken(url, exchange, options);
    });
  return tokenCredentials(request, { universeDomain: domain });
}
