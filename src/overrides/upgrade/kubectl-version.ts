/**
 * Returns the value that a kubectl version accepts for `--dry-run`: `true` up
 * to 1.17, `client` since 1.18; undefined for an invalid version.
 */
export function dryRunValue(version: string): "true" | "client" | undefined {
  const found = /^v?1\.(\d+)/.exec(version.trim());
  if (found === null) return undefined;
  return Number(found[1]) <= 17 ? "true" : "client";
}

/**
 * Parses the version in the output of `kubectl version --client`; all of its
 * output formats are supported.
 */
export function parseKubectlVersion(output: string): string | undefined {
  return /(?:GitVersion:\s*"|"gitVersion":\s*"|Client Version:\s*)v(\d+\.\d+[\d.]*)/.exec(
    output,
  )?.[1];
}
