import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** Request as the servers received it, without headers of the HTTP library. */
export interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Servers of tokens, metadata and AWS, which record their requests. */
export interface TokenServers {
  /** Address of the local machine, such as `127.0.0.1:1234`. */
  readonly host: string;
  /** Returns the requests since the last call. */
  take(): Recorded[];
  /** Sends requests for other hosts to the servers. */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  close(): void;
}

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
});

/** Private key of the service account of the tests. */
export const PRIVATE_KEY = String(
  privateKey.export({ type: "pkcs8", format: "pem" }),
);

/** Header with the origin that the client requested. */
const ORIGIN = "x-requested-origin";

/**
 * Headers that describe the HTTP library or the version of Node. The comparison
 * ignores them.
 */
const IGNORED = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "connection",
  "content-length",
  "host",
  "sec-fetch-mode",
  "transfer-encoding",
  "user-agent",
  "x-goog-api-client",
  ORIGIN,
]);

export async function startServers(): Promise<TokenServers> {
  const requests: Recorded[] = [];
  const server = createServer((request, response) => {
    void record(request).then((recorded) => {
      requests.push(recorded);
      const result = resultOf(recorded);
      const isText = typeof result === "string";
      response.writeHead(result === undefined ? 404 : 200, {
        "content-type": isText ? "text/plain" : "application/json",
        "metadata-flavor": "Google",
        // The clock of the tests is fake.
        date: new Date(Date.now()).toUTCString(),
      });
      response.end(isText ? result : JSON.stringify(result ?? {}));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    take: () => requests.splice(0),
    fetch(url, init) {
      const target = new URL(url);
      const headers = new Headers(init?.headers);
      headers.set(ORIGIN, target.origin);
      const local = `http://${host}${target.pathname}${target.search}`;
      return fetch(local, { ...init, headers });
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function record(request: IncomingMessage): Promise<Recorded> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const { headers, method = "", url = "" } = request;
  const origin = String(headers[ORIGIN] ?? "http://local");
  const { pathname, searchParams } = new URL(url, origin);
  const { "content-type": type = "" } = headers;
  return {
    method,
    url: `${origin.replace(/127\.0\.0\.1:\d+/, "local")}${pathname}`,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(
      Object.entries({
        ...headers,
        "content-type": type.split(";")[0] || undefined,
      })
        .filter(([name, value]) => !IGNORED.has(name) && value !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => [name, readable(String(value))]),
    ),
    body: type.startsWith("application/x-www-form-urlencoded")
      ? Object.fromEntries(
          [...new URLSearchParams(text)].map(([name, value]) => [
            name,
            readable(value),
          ]),
        )
      : text && (JSON.parse(text) as unknown),
  };
}

/**
 * Replaces a JWT, which can follow `Bearer`, by its header and claims, because
 * the order of claims has no meaning. The signature is verified.
 */
export function readable(value: string): unknown {
  const token = value.replace(/^Bearer /, "");
  if (!/^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+$/.test(token)) return value;
  const [header, claims, signature] = token.split(".");
  const isValid = verify(
    "RSA-SHA256",
    Buffer.from(`${header}.${claims}`),
    createPublicKey(publicKey.export({ type: "spki", format: "pem" })),
    Buffer.from(signature!, "base64url"),
  );
  if (!isValid && signature !== "unsigned") return "invalid signature";
  const parse = (part: string): unknown =>
    JSON.parse(Buffer.from(part, "base64url").toString());
  return { header: parse(header!), claims: parse(claims!) };
}

const encode = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString("base64url");

const idTokenFor = (aud: unknown): string =>
  `${encode({ alg: "RS256" })}.${encode({ aud, exp: Date.now() / 1000 + 3600 })}.unsigned`;

/** Responds like the servers of Google and AWS. */
function resultOf({ url, query, body }: Recorded): unknown {
  const path = new URL(url).pathname;
  const fields = Object(body) as Record<string, unknown>;
  const claims = Object(Object(fields["assertion"]).claims);
  const audience =
    claims.target_audience ?? fields["target_audience"] ?? fields["audience"];
  if (
    /\/(token|oauthtoken)$/.test(path) &&
    !/^\/(computeMetadata|aws)\//.test(path)
  )
    return (claims.target_audience ?? fields["target_audience"])
      ? { id_token: idTokenFor(audience) }
      : {
          access_token: `access-${Object.keys(fields).length}`,
          expires_in: 3600,
        };
  if (path.endsWith(":generateAccessToken"))
    return {
      accessToken: "impersonated",
      expireTime: new Date(Date.now() + 3_600_000).toISOString(),
    };
  if (path.endsWith(":generateIdToken")) return { token: idTokenFor(audience) };
  if (path.endsWith("/identity")) return idTokenFor(query["audience"]);
  if (path.startsWith("/computeMetadata") && path.endsWith("/token"))
    return { access_token: "metadata", expires_in: 3600 };
  return SUBJECT_TOKENS[path];
}

const SUBJECT_TOKENS: Readonly<Record<string, unknown>> = {
  "/subject": { value: { deep: 1 }, token: "subject token" },
  "/subject.txt": "subject token",
  "/aws/token": "imds token",
  "/aws/zone": "us-east-2b",
  "/aws/role": "the-role",
  "/aws/role/the-role": {
    AccessKeyId: "AKID",
    SecretAccessKey: "aws secret key",
    Token: "session/token==",
  },
};
