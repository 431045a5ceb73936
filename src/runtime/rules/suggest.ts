import type { Properties, Property } from "./properties.js";
import { editDistance } from "./similar.js";
import { isSupportedIn } from "./versions.js";

/** Known property that was probably meant by an unknown key. */
interface Suggestion {
  /**
   * True if the suggested property is in the same block, so that only the
   * spelling of the key is wrong.
   */
  readonly isSibling: boolean;
  readonly property: Property;
}

/** Functions that test which properties a file contains. */
interface FileProperties {
  /** Tests whether the file contains a property, such as `hosts[].name`. */
  readonly hasProperty: (path: string) => boolean;
  /**
   * Tests whether a property, such as `hosts[].name`, is missing from at least
   * one block of the file.
   */
  readonly isMissing: (path: string) => boolean;
}

/** Finds the properties that unknown keys of one file probably mean. */
export class Suggester {
  readonly #byKey = new Map<string, Property[]>();
  /** Distinct keys that the target version supports. */
  readonly #keys: readonly ComparableKey[];
  readonly #memberKeys = new Map<Property, readonly ComparableKey[]>();
  readonly #required: ReadonlySet<string>;
  readonly #file: FileProperties;

  constructor(properties: Properties, version: string, file: FileProperties) {
    for (const property of properties.byPath.values()) {
      const { row, key } = property;
      if (!/^\w/.test(key) || row.spelling === true) continue;
      if (!isSupportedIn(version, row)) continue;
      const others = this.#byKey.get(key);
      if (others === undefined) this.#byKey.set(key, [property]);
      else others.push(property);
    }
    this.#keys = [...this.#byKey.keys()].map(toComparableKey);
    this.#required = requiredPaths(properties);
    this.#file = file;
  }

  /**
   * Suggests a property for an unknown key. The search covers, in this order:
   * known misspellings, the same key in another block, a similar key in the
   * same block, a similar key in another block.
   */
  suggest(parent: Property, key: string): Suggestion | undefined {
    const named = [...parent.members.values()].find(
      ({ row }) => row.alsoWritten?.includes(key) === true,
    );
    if (named !== undefined) return { isSibling: true, property: named };
    const sameKey = this.#byKey.get(key);
    if (sameKey !== undefined)
      return { isSibling: false, property: this.#closest(sameKey, parent) };
    const word = toComparableKey(key);
    const neighbour = findSimilarKey(word, this.#keysOf(parent));
    if (neighbour !== undefined)
      return { isSibling: true, property: parent.members.get(neighbour)! };
    const other = findSimilarKey(word, this.#keys);
    if (other === undefined) return undefined;
    const namesakes = this.#byKey.get(other)!;
    return { isSibling: false, property: this.#closest(namesakes, parent) };
  }

  /** Returns the keys of a block that the target version supports. */
  #keysOf(parent: Property): readonly ComparableKey[] {
    let keys = this.#memberKeys.get(parent);
    if (keys === undefined) {
      keys = [...parent.members]
        .filter(([key, member]) => this.#byKey.get(key)?.includes(member))
        .map(([key]) => toComparableKey(key));
      this.#memberKeys.set(parent, keys);
    }
    return keys;
  }

  /**
   * Returns the best candidate. Prefers required properties that are missing,
   * then properties in the same block, then properties at a similar depth.
   */
  #closest(candidates: readonly Property[], parent: Property): Property {
    const parentPath = parent.row.path;
    const depth = depthOf(parentPath) + 1;
    const { hasProperty, isMissing } = this.#file;
    const rank = ({ row }: Property): number =>
      (this.#required.has(row.path) && isMissing(row.path) ? 0 : 3000) +
      (parentPath !== "" && row.path.startsWith(`${parentPath}.`) ? 0 : 1000) +
      (isSameStanza(parentPath, row.path) ? 0 : 300) +
      (isMissing(row.path) ? 0 : 100) +
      (hasProperty(parentBlock(row.path)) ? 0 : 30) +
      (row.path.includes("[]") === parentPath.includes("[]") ? 0 : 50) +
      Math.abs(depthOf(row.path) - depth) * 10;
    return [...candidates].sort((a, b) => rank(a) - rank(b))[0]!;
  }
}

/** Returns the properties that every file must contain. */
function requiredPaths({ byPath, rules }: Properties): ReadonlySet<string> {
  const paths = [...byPath.values()]
    .filter(({ row }) => row.required === "error")
    .map(({ row }) => row.path);
  const alternatives = rules.rules.flatMap((rule) =>
    rule.rule === "alternatives" && rule.required && rule.when === undefined
      ? rule.groups[0]!.map((key) => `${rule.at}.${key}`)
      : [],
  );
  return new Set([...paths, ...alternatives]);
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
 * Maximum length in characters of keys that are compared. All keys of schemas
 * are shorter.
 */
const MAX_COMPARED = 60;

function toComparableKey(key: string): ComparableKey {
  const prefix = key.slice(0, MAX_COMPARED);
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
  if (key.length > MAX_COMPARED) return undefined;
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
