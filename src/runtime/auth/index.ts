/**
 * Credentials for clients, on `fetch` and WebCrypto. Bundlers include only the
 * functions that a program imports. Credentials that need files or programs are
 * in node.ts.
 */
export { apiKey } from "./api-key.js";
export type {
  AccessToken,
  Credentials,
  CredentialsRequest,
  Fetch,
  HeadersSource,
  IdTokenCredentials,
  Source,
  SourceHeaders,
  TokenRequestOptions,
  TokenResponse,
} from "./contract.js";
export {
  downscope,
  type AccessBoundary,
  type AccessBoundaryRule,
  type DownscopeOptions,
} from "./downscope.js";
export { CredentialsError, type CredentialsErrorDetails } from "./error.js";
export {
  externalAccount,
  type CredentialSource,
  type ExecutableSource,
  type ExternalAccountConfig,
  type ExternalAccountOptions,
} from "./external-account.js";
export {
  externalAccountUser,
  type ExternalAccountUserFile,
  type ExternalAccountUserOptions,
} from "./external-account-user.js";
export { idToken, type IdTokenOptions } from "./id-token.js";
export { impersonate, type ImpersonateOptions } from "./impersonate.js";
export { keyFile, type KeyFileOptions } from "./key-file.js";
export {
  metadataServer,
  type MetadataServerOptions,
} from "./metadata-server.js";
export { refreshToken, type RefreshTokenOptions } from "./refresh-token.js";
export {
  serviceAccount,
  type ServiceAccountKey,
  type ServiceAccountOptions,
} from "./service-account.js";
