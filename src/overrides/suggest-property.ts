import { editDistance } from "../diagnostics/closest.js";
import { propertyIndex, type Property } from "./schema/property-index.js";
import { isSupportedIn } from "./schema/table.js";

/** Known property that was probably meant by an unknown key. */
interface Suggestion {
  /**
   * True if the suggested property is in the same block, so that only the
   * spelling of the key is wrong.
   */
  readonly isSibling: boolean;
  readonly property: Property;
}

/** Information about the checked file that is used to suggest properties. */
interface SuggestionContext {
  /** Version for which the file is checked. */
  readonly version: string;
  /**
   * Function that tests whether the file contains a property, such as
   * `envs[].name`.
   */
  readonly hasProperty: (path: string) => boolean;
  /**
   * Function that tests whether a property, such as `envs[].name`, is missing
   * from at least one block of the file.
   */
  readonly isMissing: (path: string) => boolean;
}

/**
 * Suggests a property for an unknown key. The search covers, in this order:
 * known misspellings, the same key in another block, a similar key in the same
 * block, a similar key in another block.
 */
export function suggestProperty(
  parent: Property,
  key: string,
  surroundings: SuggestionContext,
): Suggestion | undefined {
  const { version } = surroundings;
  const named = [...parent.members.values()].find(
    ({ row }) => row.alsoWritten?.includes(key) === true,
  );
  if (named !== undefined) return { isSibling: true, property: named };
  const supported = supportedKeys(version);
  const sameKey = supported.byKey.get(key) ?? [];
  if (sameKey.length > 0)
    return {
      isSibling: false,
      property: closestCandidate(sameKey, parent, surroundings),
    };
  const isUsable = (name: string): boolean =>
    supported.byKey.get(name)?.includes(parent.members.get(name)!) === true;
  const word = toComparableKey(key);
  const neighbour = findSimilarKey(
    word,
    memberKeys(parent).filter(({ key: name }) => isUsable(name)),
  );
  if (neighbour !== undefined)
    return { isSibling: true, property: parent.members.get(neighbour)! };
  const other = findSimilarKey(word, supported.keys);
  if (other === undefined) return undefined;
  const namesakes = supported.byKey.get(other)!;
  return {
    isSibling: false,
    property: closestCandidate(namesakes, parent, surroundings),
  };
}

/** Keys that a version supports, indexed for the search for similar keys. */
interface SupportedKeys {
  readonly byKey: ReadonlyMap<string, readonly Property[]>;
  /** Distinct keys, in the order of the property table. */
  readonly keys: readonly ComparableKey[];
}

const supportedKeysByVersion = new Map<string, SupportedKeys>();

function supportedKeys(version: string): SupportedKeys {
  const known = supportedKeysByVersion.get(version);
  if (known !== undefined) return known;
  const byKey = new Map<string, Property[]>();
  for (const property of propertyIndex().byPath.values()) {
    const { row, key } = property;
    if (!/^\w/.test(key) || row.spelling === true) continue;
    if (!isSupportedIn(version, row)) continue;
    const others = byKey.get(key);
    if (others === undefined) byKey.set(key, [property]);
    else others.push(property);
  }
  const result = { byKey, keys: [...byKey.keys()].map(toComparableKey) };
  supportedKeysByVersion.set(version, result);
  return result;
}

const memberKeysByParent = new WeakMap<Property, readonly ComparableKey[]>();

function memberKeys(parent: Property): readonly ComparableKey[] {
  let words = memberKeysByParent.get(parent);
  if (words === undefined)
    memberKeysByParent.set(
      parent,
      (words = [...parent.members.keys()].map(toComparableKey)),
    );
  return words;
}

/**
 * Returns the best candidate. Prefers required properties that are missing,
 * then properties in the same block, then properties at a similar depth.
 */
function closestCandidate(
  candidates: readonly Property[],
  parent: Property,
  { hasProperty, isMissing }: SuggestionContext,
): Property {
  const parentPath = parent.row.path;
  const depth = depthOf(parentPath) + 1;
  const rank = ({ row }: Property): number =>
    (requiredPaths().has(row.path) && isMissing(row.path) ? 0 : 3000) +
    (parentPath !== "" && row.path.startsWith(`${parentPath}.`) ? 0 : 1000) +
    (isSameStanza(parentPath, row.path) ? 0 : 300) +
    (isMissing(row.path) ? 0 : 100) +
    (hasProperty(parentBlock(row.path)) ? 0 : 30) +
    (row.path.includes("[]") === parentPath.includes("[]") ? 0 : 50) +
    Math.abs(depthOf(row.path) - depth) * 10;
  return [...candidates].sort((a, b) => rank(a) - rank(b))[0]!;
}

let cachedRequiredPaths: ReadonlySet<string> | undefined;

/** Returns the paths of the properties that every file must contain. */
function requiredPaths(): ReadonlySet<string> {
  const { table } = propertyIndex();
  cachedRequiredPaths ??= new Set([
    ...table.rows
      .filter((row) => row.required === "error")
      .map(({ path }) => path),
    ...table.rules.flatMap((rule) =>
      rule.rule === "alternatives" && rule.required && rule.when === undefined
        ? rule.groups[0]!.map((key) => `${rule.at}.${key}`)
        : [],
    ),
  ]);
  return cachedRequiredPaths;
}

/**
 * Returns the path of the block that contains a property; empty for a top-level
 * property.
 */
function parentBlock(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot < 0 ? "" : path.slice(0, dot).replace(/\[\]$/, "");
}

function isSameStanza(a: string, b: string): boolean {
  return a !== "" && a.split(/[.[]/)[0] === b.split(/[.[]/)[0];
}

function depthOf(path: string): number {
  return path === "" ? 0 : path.split(".").length;
}

/** Key with precomputed values for fast comparison. */
interface ComparableKey {
  readonly key: string;
  /**
   * Key in lower case without separators, such as `connectagent` for
   * `connect_agent`.
   */
  readonly normalized: string;
  /** Bit set of the letters that the key contains. */
  readonly letters: number;
}

/**
 * Maximum length in characters of keys that are compared. All known keys are
 * shorter.
 */
const MAX_CHARACTERS = 60;

function toComparableKey(key: string): ComparableKey {
  const prefix = key.slice(0, MAX_CHARACTERS);
  let letters = 0;
  for (let index = 0; index < prefix.length; index++)
    letters |= 1 << (prefix.charCodeAt(index) & 31);
  return {
    key,
    normalized: prefix.replace(/[_-]/g, "").toLowerCase(),
    letters,
  };
}

function findSimilarKey(
  { key, normalized, letters }: ComparableKey,
  candidates: readonly ComparableKey[],
): string | undefined {
  if (key.length > MAX_CHARACTERS) return undefined;
  const equal = candidates.find(
    (candidate) => candidate.normalized === normalized,
  );
  if (equal !== undefined) return equal.key;
  const limit = key.length < 4 ? 1 : 2;
  let found: string | undefined;
  let least = limit + 1;
  for (const candidate of candidates) {
    // One edit adds at most one letter and removes at most one letter. The
    // number of letters that occur in one key but not in the other is therefore
    // a lower bound of the edit distance.
    if (countBits(letters & ~candidate.letters) >= least) continue;
    if (countBits(candidate.letters & ~letters) >= least) continue;
    const edits = editDistance(key, candidate.key, least);
    if (edits < least && edits < candidate.key.length) {
      least = edits;
      found = candidate.key;
    }
  }
  return found;
}

/** Counts the bits that are set in a number; returns at most 3. */
function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0 && count < 3; rest &= rest - 1) count++;
  return count;
}
