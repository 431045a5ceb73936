/** The value of --dry-run that a kubectl takes: `true` up to 1.17, `client` from 1.18 on; undefined for no version. */
export function dryRunValue(version: string): "true" | "client" | undefined {
  const found = /^v?1\.(\d+)/.exec(version.trim());
  if (found === null) return undefined;
  return Number(found[1]) <= 17 ? "true" : "client";
}

/** The version in what `kubectl version --client` prints, in any of its forms. */
export function versionIn(output: string): string | undefined {
  return /(?:GitVersion:\s*"|"gitVersion":\s*"|Client Version:\s*)v(\d+\.\d+[\d.]*)/.exec(
    output,
  )?.[1];
}
