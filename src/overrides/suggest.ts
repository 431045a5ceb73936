import { knowledge, type Property } from "./schema/load.js";
import { isWithin } from "./schema/versions.js";

/** What a key that nobody knows was meant to be. */
export interface Suggestion {
  /** A neighbour with another spelling; else a property at another place. */
  readonly isHere: boolean;
  readonly property: Property;
}

/** What the search may ask about the file at hand. */
export interface Surroundings {
  /** Version that the file is checked for. */
  readonly version: string;
  /** Whether the file has a property; by general path. */
  readonly has: (path: string) => boolean;
  /** Whether a block of the file has no such property, one of several perhaps. */
  readonly lacks: (path: string) => boolean;
}

/**
 * What an unknown key was meant to be: the same key at another place, another
 * spelling of a neighbour, another spelling at another place.
 */
export function suggestProperty(
  parent: Property,
  key: string,
  surroundings: Surroundings,
): Suggestion | undefined {
  const isUsable = ({ row }: Property): boolean =>
    isWithin(surroundings.version, row) && row.spelling !== true;
  const { byKey, byPath } = knowledge();
  const named = [...parent.members.values()].find(
    ({ row }) => row.alsoWritten?.includes(key) === true,
  );
  if (named !== undefined) return { isHere: true, property: named };
  const same = (byKey.get(key) ?? []).filter(isUsable);
  if (same.length > 0)
    return { isHere: false, property: best(same, parent, surroundings) };
  const neighbours = [...parent.members.values()].filter(isUsable);
  const neighbour = alike(key, neighbours);
  if (neighbour !== undefined) return { isHere: true, property: neighbour };
  const all = [...byPath.values()].filter(isUsable);
  const other = alike(
    key,
    all.filter(({ key: name }) => /^\w/.test(name)),
  );
  if (other === undefined) return undefined;
  const namesakes = all.filter((one) => one.key === other.key);
  return { isHere: false, property: best(namesakes, parent, surroundings) };
}

/** The closest of several places: within the stanza, then what the file lacks, then what lies as deep. */
function best(
  candidates: readonly Property[],
  parent: Property,
  { has, lacks }: Surroundings,
): Property {
  const own = parent.row.path;
  const depth = depthOf(own) + 1;
  const rank = ({ row }: Property): number =>
    (needed().has(row.path) && lacks(row.path) ? 0 : 3000) +
    (own !== "" && row.path.startsWith(`${own}.`) ? 0 : 1000) +
    (sharedStanza(own, row.path) ? 0 : 300) +
    (lacks(row.path) ? 0 : 100) +
    (has(stanzaOf(row.path)) ? 0 : 30) +
    (row.path.includes("[]") === own.includes("[]") ? 0 : 50) +
    Math.abs(depthOf(row.path) - depth) * 10;
  return [...candidates].sort((a, b) => rank(a) - rank(b))[0]!;
}

let required: ReadonlySet<string> | undefined;

/** Properties that every file has to have, by themselves or by a rule. */
function needed(): ReadonlySet<string> {
  const { table } = knowledge();
  required ??= new Set([
    ...table.rows
      .filter((row) => row.required === "error")
      .map(({ path }) => path),
    ...table.rules.flatMap((rule) =>
      rule.rule === "alternatives" && rule.required && rule.when === undefined
        ? rule.groups[0]!.map((key) => `${rule.at}.${key}`)
        : [],
    ),
  ]);
  return required;
}

/** The block that a property belongs to; empty for the top. */
function stanzaOf(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot < 0 ? "" : path.slice(0, dot).replace(/\[\]$/, "");
}

function sharedStanza(a: string, b: string): boolean {
  return a !== "" && a.split(/[.[]/)[0] === b.split(/[.[]/)[0];
}

function depthOf(path: string): number {
  return path === "" ? 0 : path.split(".").length;
}

function alike(
  key: string,
  candidates: readonly Property[],
): Property | undefined {
  const flat = flatten(key);
  const equal = candidates.find((one) => flatten(one.key) === flat);
  if (equal !== undefined) return equal;
  const limit = key.length < 4 ? 1 : 2;
  let found: Property | undefined;
  let least = limit + 1;
  for (const candidate of candidates) {
    const edits = editsBetween(key, candidate.key, least);
    if (edits < least && edits < candidate.key.length) {
      least = edits;
      found = candidate;
    }
  }
  return found;
}

/** Without case and separators: `connect_agent` is connectAgent. */
function flatten(key: string): string {
  return key.replace(/[_-]/g, "").toLowerCase();
}

/**
 * Edits that make one word of another: insert, remove, replace, exchange two
 * neighbours (Damerau). Anything from the limit on is the limit.
 */
export function editsBetween(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, row[j]! + 1, next[j - 1]! + 1);
      const isSwap =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, before[j - 2]! + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return Math.min(limit, row[b.length]!);
}
