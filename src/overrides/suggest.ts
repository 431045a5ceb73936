import { editDistance } from "../diagnostics/closest.js";
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
  const { version } = surroundings;
  const named = [...parent.members.values()].find(
    ({ row }) => row.alsoWritten?.includes(key) === true,
  );
  if (named !== undefined) return { isHere: true, property: named };
  const all = usable(version);
  const same = all.byKey.get(key) ?? [];
  if (same.length > 0)
    return { isHere: false, property: best(same, parent, surroundings) };
  const isUsable = (name: string): boolean =>
    all.byKey.get(name)?.includes(parent.members.get(name)!) === true;
  const word = wordOf(key);
  const neighbour = alike(
    word,
    wordsBelow(parent).filter(({ key: name }) => isUsable(name)),
  );
  if (neighbour !== undefined)
    return { isHere: true, property: parent.members.get(neighbour)! };
  const other = alike(word, all.words);
  if (other === undefined) return undefined;
  const namesakes = all.byKey.get(other)!;
  return { isHere: false, property: best(namesakes, parent, surroundings) };
}

/** Properties that a version knows. */
interface Usable {
  readonly byKey: ReadonlyMap<string, readonly Property[]>;
  /** Each key once, in the order of the table. */
  readonly words: readonly Word[];
}

const usableOf = new Map<string, Usable>();

function usable(version: string): Usable {
  const known = usableOf.get(version);
  if (known !== undefined) return known;
  const byKey = new Map<string, Property[]>();
  for (const property of knowledge().byPath.values()) {
    const { row, key } = property;
    if (!/^\w/.test(key) || row.spelling === true) continue;
    if (!isWithin(version, row)) continue;
    const others = byKey.get(key);
    if (others === undefined) byKey.set(key, [property]);
    else others.push(property);
  }
  const made = { byKey, words: [...byKey.keys()].map(wordOf) };
  usableOf.set(version, made);
  return made;
}

const wordsOf = new WeakMap<Property, readonly Word[]>();

function wordsBelow(parent: Property): readonly Word[] {
  let words = wordsOf.get(parent);
  if (words === undefined)
    wordsOf.set(parent, (words = [...parent.members.keys()].map(wordOf)));
  return words;
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

/** A key with what the search compares first. */
interface Word {
  readonly key: string;
  /** Without case and separators: `connect_agent` is connectAgent. */
  readonly flat: string;
  /** A bit for each letter that it has. */
  readonly letters: number;
}

/** Longest key that is compared letter by letter; no property's key is longer. */
const MOST_CHARACTERS = 60;

function wordOf(key: string): Word {
  const own = key.slice(0, MOST_CHARACTERS);
  let letters = 0;
  for (let index = 0; index < own.length; index++)
    letters |= 1 << (own.charCodeAt(index) & 31);
  return { key, flat: own.replace(/[_-]/g, "").toLowerCase(), letters };
}

function alike(
  { key, flat, letters }: Word,
  candidates: readonly Word[],
): string | undefined {
  if (key.length > MOST_CHARACTERS) return undefined;
  const equal = candidates.find((one) => one.flat === flat);
  if (equal !== undefined) return equal.key;
  const limit = key.length < 4 ? 1 : 2;
  let found: string | undefined;
  let least = limit + 1;
  for (const candidate of candidates) {
    // Each edit takes away or adds at most one letter.
    if (bitsOf(letters & ~candidate.letters) >= least) continue;
    if (bitsOf(candidate.letters & ~letters) >= least) continue;
    const edits = editDistance(key, candidate.key, least);
    if (edits < least && edits < candidate.key.length) {
      least = edits;
      found = candidate.key;
    }
  }
  return found;
}

/** How many bits of a number are set, up to 3. */
function bitsOf(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0 && count < 3; rest &= rest - 1) count++;
  return count;
}
