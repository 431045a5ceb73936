import { CredentialsError } from "./error.js";

const encoder = new TextEncoder();

/** Encodes bytes as base64url, without padding (RFC 7515, section 2). */
function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (c) =>
    c === "+" ? "-" : c === "/" ? "_" : "",
  );
}

/**
 * Returns a JWT that is signed with RS256.
 *
 * @param pem private key: PKCS#8 in PEM form, whose line ends can be `\n` as two
 *   characters.
 * @throws CredentialsError (as a rejection) for a key in another form.
 */
export async function signJwt(
  pem: unknown,
  ...parts: readonly [header: object, claims: object]
): Promise<string> {
  const text = parts
    .map((part) => base64Url(encoder.encode(JSON.stringify(part))))
    .join(".");
  const { subtle } = crypto;
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  // Node's types for TypeScript have no global CryptoKey.
  let key: Awaited<ReturnType<typeof subtle.importKey>>;
  try {
    const base64 = String(pem).replace(/-----[A-Z ]+-----|\\n|\s/g, "");
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    key = await subtle.importKey("pkcs8", bytes, algorithm, false, ["sign"]);
  } catch {
    throw new CredentialsError("private_key must be PKCS#8 in PEM form");
  }
  const signature = await subtle.sign(
    algorithm.name,
    key,
    encoder.encode(text),
  );
  return `${text}.${base64Url(new Uint8Array(signature))}`;
}
