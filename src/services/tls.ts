import { createSecureContext } from "node:tls";
import { readFileLimited } from "../platform/read-limited.js";
import type { TlsConfig } from "./host-config.js";
import { ConfigError } from "./service.js";

/** Certificate chain and private key in PEM format. */
export interface Credentials {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/**
 * Reads the files of a certificate and its private key, and checks that they
 * match.
 *
 * @throws ConfigError if a file can't be read, or if the files don't match
 */
export function readCredentials(
  config: TlsConfig | undefined,
): Credentials | undefined {
  if (config === undefined) return undefined;
  const credentials = {
    cert: read(config, "cert"),
    key: read(config, "key"),
  };
  try {
    createSecureContext(credentials);
  } catch (error) {
    const { code } = error as { code?: unknown };
    throw new ConfigError(
      "/tls",
      `cert and key must be PEM files of a certificate and its private key (${String(code)})`,
    );
  }
  return credentials;
}

function read(config: TlsConfig, name: "cert" | "key"): Buffer {
  try {
    return readFileLimited(config[name]);
  } catch (error) {
    const { code } = error as { code?: unknown };
    throw new ConfigError(
      `/tls/${name}`,
      `${name} can't be read (${String(code)})`,
    );
  }
}
