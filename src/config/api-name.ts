/**
 * Labels of APIs: `name:version`, or a name. Labels are parts of file names, so
 * they contain no slashes.
 */
export const API_LABEL: RegExp =
  /^([A-Za-z][A-Za-z0-9_.-]{0,99})(?::([A-Za-z0-9][A-Za-z0-9_.-]{0,99}))?$/;

/**
 * Label of an API in a config. Only a label in the form `name:version` has a
 * version.
 */
export interface ApiName {
  readonly name: string;
  readonly version?: string;
}

/** Parses a label such as `drive:v3` or `internal`; undefined if it is invalid. */
export function parseApiName(label: string): ApiName | undefined {
  const match = API_LABEL.exec(label);
  if (match === null) return undefined;
  const [, name, version] = match;
  return version === undefined ? { name: name! } : { name: name!, version };
}

/** Returns the name of the file of a fetched document. */
export function documentFile(label: string): string {
  return `${label.replace(":", ".")}.json`;
}
