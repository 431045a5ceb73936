/**
 * Returns the value of --dry-run for a version of kubectl: `true` up to 1.17,
 * `client` since 1.18; undefined if the text is not a version.
 */
export function dryRunValue(version: string): "true" | "client" | undefined {
  const found = /^v?1\.(\d+)/.exec(version.trim());
  if (found === null) return undefined;
  return Number(found[1]) <= 17 ? "true" : "client";
}

/** Parses the version from any format of `kubectl version --client`. */
export function parseKubectlVersion(output: string): string | undefined {
  return /(?:GitVersion:\s*"|"gitVersion":\s*"|Client Version:\s*)v(\d+\.\d+[\d.]*)/.exec(
    output,
  )?.[1];
}
