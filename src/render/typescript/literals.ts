import { Code, literalKey, quote } from "./code.js";
import {
  bareList,
  callOf,
  ENTRIES,
  fill,
  hang,
  ITEMS,
  list,
  print,
  type Layout,
} from "./layout.js";

/**
 * Call of a function with optional settings, such as `paged({ items: "files"
 * })`, or with a list of expressions, such as `ref("File", fileJson)`.
 */
export class Call {
  constructor(
    readonly name: string,
    readonly settings?:
      { readonly [key: string]: Data | undefined } | readonly string[],
  ) {}
}

/** Value that is printed as a literal in generated code. */
export type Data =
  | string
  | number
  | boolean
  | Code
  | Call
  | readonly Data[]
  | { readonly [key: string]: Data | undefined };

type DataObject = { readonly [key: string]: Data | undefined };

/**
 * Maximum length of a short key. After a short key, Prettier leaves a long
 * string on the same line.
 */
const SHORT_KEY = 4;

/** Prints `key: value,` for an object literal. */
export function property(
  key: string,
  value: Data,
  indentation: number,
): string {
  const layout = entry(key, value, false);
  return typeof layout === "string"
    ? `${layout},`
    : print([layout, ","], indentation);
}

/**
 * Prints a value as a literal, with the text before and after it.
 * @param indentation columns at the start of the line on which the text begins
 */
export function printData(
  value: Data,
  indentation = 0,
  before = "",
  after = "",
): string {
  return print([before, dataLayout(value, false), after], indentation);
}

/**
 * Returns an entry of an object literal. If the value is an object and not part
 * of the argument of a call, each entry of the value is on its own line.
 */
function entry(key: string, value: Data, isInCall: boolean): Layout {
  const name = literalKey(key).text;
  if (value instanceof Code || typeof value === "string") {
    const text = typeof value === "string" ? quote(value) : value.text;
    if (text === key) return key;
    return name.length > SHORT_KEY
      ? hang(`${name}:`, text)
      : `${name}: ${text}`;
  }
  return typeof value === "object"
    ? hang(`${name}:`, dataLayout(value, isInCall))
    : `${name}: ${value}`;
}

function dataLayout(value: Data, isInCall: boolean): Layout {
  if (typeof value === "string") return quote(value);
  if (typeof value !== "object") return String(value);
  if (value instanceof Code) return value.text;
  if (value instanceof Call) return callLayout(value);
  return isArray(value)
    ? arrayLayout(value, isInCall)
    : objectLayout(value, isInCall);
}

function isArray(
  value: readonly Data[] | DataObject,
): value is readonly Data[] {
  return Array.isArray(value);
}

/**
 * Returns a call. If the argument is an object, its braces are next to the
 * parentheses: `paged({` and `})`.
 */
function callLayout({ name, settings }: Call): Layout {
  if (settings === undefined) return `${name}()`;
  if (isArray(settings)) return callOf(name, ...settings);
  const object = list("{", entriesOf(settings, true), "}", ENTRIES);
  return [`${name}(`, object, ")"];
}

function arrayLayout(items: readonly Data[], isInCall: boolean): Layout {
  if (items.length > 1 && items.every((item) => typeof item === "number"))
    return list("[", [fill(items.map(String))], "]", NUMBERS);
  if (isInCall && items.some(isObject)) {
    const layouts = items.map((item) => dataLayout(item, true));
    return bareList("[", layouts, "]", ITEMS);
  }
  const layouts = items.map((item) =>
    isObject(item)
      ? list("{", entriesOf(item, true), "}", ENTRIES)
      : dataLayout(item, isInCall),
  );
  return list("[", layouts, "]", ITEMS, isMatrix(items) || undefined);
}

/**
 * Tests whether a list has several elements, all of them objects or lists with
 * several members. Prettier breaks such a list, even if it fits on a line.
 */
function isMatrix(items: readonly Data[]): boolean {
  return (
    items.length > 1 &&
    items.every(
      (item) =>
        (isObject(item) ? Object.keys(item) : Array.isArray(item) ? item : [])
          .length > 1,
    )
  );
}

/**
 * List style for numbers. The comma after a number is part of the number's
 * layout.
 */
const NUMBERS = { ...ITEMS, last: "" } as const;

function isObject(value: Data): value is DataObject {
  return (
    typeof value === "object" &&
    !Array.isArray(value) &&
    !(value instanceof Code) &&
    !(value instanceof Call)
  );
}

/**
 * Returns an object literal. An object inside the argument of a call is broken
 * across lines if and only if the argument itself is broken.
 */
function objectLayout(value: DataObject, isInCall: boolean): Layout {
  const entries = entriesOf(value, isInCall);
  return isInCall
    ? bareList("{", entries, "}", ENTRIES)
    : list("{", entries, "}", ENTRIES, true);
}

function entriesOf(value: DataObject, isInCall: boolean): Layout[] {
  const entries: Layout[] = [];
  for (const [key, member] of Object.entries(value))
    if (member !== undefined) entries.push(entry(key, member, isInCall));
  return entries;
}
