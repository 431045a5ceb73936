import type { TokenRequestOptions, TokenResponse } from "./contract.js";
import { CredentialsError } from "./error.js";
import { parseFields, sendTokenRequest } from "./token-request.js";

/** Source of credentials of AWS, in a configuration file. */
export interface AwsSource {
  /** `aws1`. */
  readonly environment_id: string;
  /** URL of the metadata server that returns the zone. */
  readonly region_url?: string | undefined;
  /** URL of the metadata server that returns the role. */
  readonly url?: string | undefined;
  /** URL of GetCallerIdentity, with the placeholder `{region}`. */
  readonly regional_cred_verification_url: string;
  /** URL of session tokens (IMDSv2). */
  readonly imdsv2_session_token_url?: string | undefined;
}

interface AwsOptions extends TokenRequestOptions {
  readonly environment?:
    Readonly<Record<string, string | undefined>> | undefined;
}

interface AwsKeys {
  readonly id: string;
  readonly secret: string;
  readonly token?: string | undefined;
}

/**
 * Returns a function that creates the token of a program on AWS: a signed request
 * of GetCallerIdentity, which Google's token server sends to AWS.
 *
 * @throws CredentialsError for an invalid source, and for URLs that are neither of
 *   the metadata server of AWS nor on this machine.
 */
export function awsSubjectToken(
  source: AwsSource,
  audience: string,
  { environment = {}, ...options }: AwsOptions,
): () => Promise<string> {
  const { url: roleUrl, region_url, imdsv2_session_token_url } = source;
  const { regional_cred_verification_url: template } = source;
  if (source.environment_id !== "aws1")
    throw new CredentialsError('environment_id must be "aws1"');
  if (
    typeof template !== "string" ||
    !/^https:\/\/sts\.\{region\}\.amazonaws\.com(\.cn)?[/?][!-~]*$/.test(
      template,
    )
  )
    throw new CredentialsError(
      "regional_cred_verification_url must be a URL of sts.{region}.amazonaws.com",
    );
  for (const url of [roleUrl, region_url, imdsv2_session_token_url])
    if (url !== undefined) checkMetadataUrl(url);

  /** Returns the headers of requests to the metadata server. */
  const openSession = async (): Promise<Record<string, string>> => {
    if (imdsv2_session_token_url === undefined) return {};
    const headers = { "x-aws-ec2-metadata-token-ttl-seconds": "300" };
    const init = { method: "PUT", headers };
    const { text } = await sendTokenRequest(
      imdsv2_session_token_url,
      init,
      options,
    );
    return { "x-aws-ec2-metadata-token": text };
  };

  const read = async (
    url: string | undefined,
    headers: Record<string, string>,
  ): Promise<TokenResponse> => {
    if (url === undefined)
      throw new CredentialsError(
        "credential_source needs region_url and url, or the variables AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
      );
    return sendTokenRequest(url, { headers }, options);
  };

  const readRegion = async (): Promise<string> => {
    const { AWS_REGION, AWS_DEFAULT_REGION } = environment;
    // The zone is the region and a letter.
    const region =
      AWS_REGION ||
      AWS_DEFAULT_REGION ||
      (await read(region_url, await openSession())).text.trim().slice(0, -1);
    if (/^[a-z\d-]+$/.test(region)) return region;
    throw new CredentialsError("the region of AWS is not valid");
  };

  const readKeys = async (): Promise<AwsKeys> => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = environment;
    if (AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY)
      return {
        id: AWS_ACCESS_KEY_ID,
        secret: AWS_SECRET_ACCESS_KEY,
        token: environment["AWS_SESSION_TOKEN"],
      };
    const session = await openSession();
    const role = (await read(roleUrl, session)).text.trim();
    if (!/^[\w+=,.@-]+$/.test(role))
      throw new CredentialsError("the role of AWS is not valid");
    const fields = parseFields(await read(`${roleUrl}/${role}`, session));
    const { AccessKeyId, SecretAccessKey, Token } = fields;
    const values = [AccessKeyId, SecretAccessKey, Token ?? ""];
    const [id, secret, token] = values;
    if (
      typeof id === "string" &&
      typeof secret === "string" &&
      typeof token === "string"
    )
      return { id, secret, token };
    throw new CredentialsError("the metadata server of AWS has no credentials");
  };

  return async () => {
    const region = await readRegion();
    const url = template.replace("{region}", region);
    return signedRequest(url, region, await readKeys(), audience);
  };
}

function checkMetadataUrl(url: unknown): void {
  if (
    typeof url !== "string" ||
    !/^http:\/\/(169\.254\.169\.254|\[fd00:ec2::254\]|localhost|127\.0\.0\.1)(:\d+)?\/[!-~]*$/.test(
      url,
    )
  )
    throw new CredentialsError(
      "URLs of an AWS credential_source must be of the metadata server 169.254.169.254",
    );
}

/** Returns a request with an AWS Signature (version 4), in the form of Google's STS. */
async function signedRequest(
  target: string,
  region: string,
  { id, secret, token }: AwsKeys,
  audience: string,
): Promise<string> {
  const url = new URL(target);
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const date = time.slice(0, 8);
  const signed: Record<string, string> = {
    host: url.host,
    "x-amz-date": time,
    ...(token ? { "x-amz-security-token": token } : {}),
  };
  const names = Object.keys(signed).sort();
  const service = url.host.split(".")[0]!;
  const scope = `${date}/${region}/${service}/aws4_request`;
  const canonical = [
    "POST",
    url.pathname,
    url.search.slice(1),
    ...names.map((name) => `${name}:${signed[name]}`),
    "",
    names.join(";"),
    await sha256(""),
  ].join("\n");
  const algorithm = "AWS4-HMAC-SHA256";
  const text = [algorithm, time, scope, await sha256(canonical)].join("\n");
  let key: Uint8Array<ArrayBuffer> = encode(`AWS4${secret}`);
  for (const part of [date, region, service, "aws4_request"])
    key = await hmac(key, part);
  const signature = hex(await hmac(key, text));
  const headers = {
    ...signed,
    authorization: `${algorithm} Credential=${id}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`,
    "x-goog-cloud-target-resource": audience,
  };
  const list = Object.entries(headers)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ key: name, value }));
  const request = { url: target, method: "POST", headers: list };
  return encodeURIComponent(JSON.stringify(request));
}

const encode = (text: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(text);

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

async function sha256(text: string): Promise<string> {
  return hex(
    new Uint8Array(await crypto.subtle.digest("SHA-256", encode(text))),
  );
}

async function hmac(
  key: Uint8Array<ArrayBuffer>,
  text: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const { subtle } = crypto;
  const imported = await subtle.importKey("raw", key, algorithm, false, [
    "sign",
  ]);
  return new Uint8Array(await subtle.sign("HMAC", imported, encode(text)));
}
