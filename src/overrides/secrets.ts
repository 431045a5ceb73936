import { lastKey } from "./key-path.js";
import { propertyIndex, type Property } from "./schema/property-index.js";
import { editDistance } from "../diagnostics/closest.js";

/** Pattern for keys whose values must not be printed. */
const SECRET =
  /pass|pwd|secret$|token|credential|encryption|(?:^|_)key$|username|private/i;

/**
 * Maximum length in characters of keys that are compared with secret keys. All
 * known secret keys are shorter.
 */
const MAX_CHARACTERS = 100;

/**
 * Tests whether a key that no version supports probably contains a secret: its
 * name suggests a secret, or is similar to a known secret key.
 */
function looksLikeSecret(key: string): boolean {
  if (SECRET.test(key)) return true;
  if (key.length > MAX_CHARACTERS) return false;
  const word = key.toLowerCase();
  return secretKeys().some((name) => editDistance(word, name, 3) < 3);
}

/**
 * Returns the property for a dotted key such as `auth.admin`, which is a path
 * from the enclosing block or from the top level.
 */
export function dottedProperty(
  owner: Property | undefined,
  key: string,
): Property | undefined {
  if (!key.includes(".") || key.length > MAX_CHARACTERS) return undefined;
  const { byPath } = propertyIndex();
  return byPath.get(`${owner?.row.path ?? ""}.${key}`) ?? byPath.get(key);
}

/**
 * Tests whether the value of an unknown key, including nested values, must be
 * masked.
 */
export function isHiddenKey(key: string): boolean {
  return looksLikeSecret(key.slice(key.lastIndexOf(".") + 1));
}

/**
 * Tests whether a key without a known path, such as a word in a comment, can be
 * the name of a secret. A camel-case key of the property table is a secret only
 * if the table marks it as secret.
 */
export function mayNameSecret(key: string): boolean {
  const name = key.slice(key.lastIndexOf(".") + 1);
  const rows = propertyIndex().byKey.get(name);
  if (rows === undefined || !/[a-z][A-Z]/.test(name))
    return looksLikeSecret(name);
  return rows.some(({ row }) => row.secret === true);
}

/** Tests whether a scalar value must not be printed. */
export function isSensitive(property: Property): boolean {
  return (
    property.row.secret === true || blocksWithSecrets().has(property.row.path)
  );
}

let cachedSecretKeys: readonly string[] | undefined;

/** Returns the keys of secret properties in lower case. */
function secretKeys(): readonly string[] {
  cachedSecretKeys ??= [
    ...new Set(secretPaths().map((path) => lastKey(path).toLowerCase())),
  ];
  return cachedSecretKeys;
}

let cachedBlocks: ReadonlySet<string> | undefined;

/**
 * Returns the paths of blocks that contain secrets. If such a block has a
 * scalar value instead of members (`cassandra.auth.admin: …`), the scalar is
 * probably the secret.
 */
function blocksWithSecrets(): ReadonlySet<string> {
  cachedBlocks ??= new Set(
    secretPaths().flatMap((path) => {
      const above: string[] = [];
      for (
        let dot = path.lastIndexOf(".");
        dot > 0;
        dot = path.lastIndexOf(".", dot - 1)
      )
        above.push(path.slice(0, dot));
      return above;
    }),
  );
  return cachedBlocks;
}

function secretPaths(): string[] {
  return propertyIndex()
    .table.rows.filter(({ secret }) => secret === true)
    .map(({ path }) => path);
}
