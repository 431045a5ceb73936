import { lastKey } from "./path.js";
import { knowledge, type Property } from "./schema/load.js";
import { editDistance } from "../diagnostics/closest.js";

/** Keys whose values must not be shown, whatever their spelling. */
const SECRET =
  /pass|pwd|secret$|token|credential|encryption|(?:^|_)key$|username|private/i;

/** Longest key that is compared with misspellings; no secret's key is longer. */
const MOST_CHARACTERS = 100;

/** Whether a key that no version knows is likely to hold a secret. */
export function looksSecret(key: string): boolean {
  if (SECRET.test(key)) return true;
  if (key.length > MOST_CHARACTERS) return false;
  const word = key.toLowerCase();
  return secretKeys().some((name) => editDistance(word, name, 3) < 3);
}

/** The property that a key names as a path, from its block or from the top: `auth.admin`. */
export function dottedProperty(
  owner: Property | undefined,
  key: string,
): Property | undefined {
  if (!key.includes(".") || key.length > MOST_CHARACTERS) return undefined;
  const { byPath } = knowledge();
  return byPath.get(`${owner?.row.path ?? ""}.${key}`) ?? byPath.get(key);
}

/** Whether all below a key of which the table knows nothing is secret. */
export function isHiddenKey(key: string): boolean {
  return looksSecret(key.slice(key.lastIndexOf(".") + 1));
}

/**
 * Whether a key may hold a secret when its place is unknown, as in a comment.
 * A name of several words that the table knows is what the table says.
 */
export function looksSecretAnywhere(key: string): boolean {
  const name = key.slice(key.lastIndexOf(".") + 1);
  const rows = knowledge().byKey.get(name);
  if (rows === undefined || !/[a-z][A-Z]/.test(name)) return looksSecret(name);
  return rows.some(({ row }) => row.secret === true);
}

/** Whether a single value at the place of a property must not be shown. */
export function isSensitive(property: Property): boolean {
  return property.row.secret === true || holders().has(property.row.path);
}

let names: readonly string[] | undefined;

/** The keys of the table whose values are secrets, in lower case. */
function secretKeys(): readonly string[] {
  names ??= [
    ...new Set(secretPaths().map((path) => lastKey(path).toLowerCase())),
  ];
  return names;
}

let blocks: ReadonlySet<string> | undefined;

/**
 * Blocks of which some members are secrets: a single value in place of such a
 * block is likely to be the secret itself (`cassandra.auth.admin: …`).
 */
function holders(): ReadonlySet<string> {
  blocks ??= new Set(
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
  return blocks;
}

function secretPaths(): string[] {
  return knowledge()
    .table.rows.filter(({ secret }) => secret === true)
    .map(({ path }) => path);
}
