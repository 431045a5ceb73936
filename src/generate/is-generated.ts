import { readManifest } from "../write/manifest.js";

/**
 * Returns true if the manifest of an output directory lists a file. The file
 * itself may be missing, because generated output can be excluded from a
 * repository.
 * @param folder directory of an API in the output, such as `drive/v3`
 * @param name path of the file in that directory
 */
export function isGenerated(
  out: string,
  folder: string,
  name: string,
): boolean {
  const group = readManifest(out)?.groups[folder];
  return group?.files[name] !== undefined;
}
