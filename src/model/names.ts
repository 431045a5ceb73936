/**
 * Words that TypeScript does not allow as names of variables, parameters or
 * types in a module.
 */
const RESERVED = new Set(
  (
    "abstract any arguments as async await boolean break case catch class const continue debugger declare default " +
    "delete do else enum eval export extends false finally for function get if implements import in instanceof " +
    "interface let module namespace never new null number object of package private protected public require return " +
    "set static string super switch symbol this throw true try type typeof undefined unknown using var void while " +
    "with yield bigint intrinsic infer is keyof readonly unique asserts global NaN Infinity"
  ).split(" "),
);

/** Words in `RESERVED` that are nevertheless allowed as variable names. */
const ALLOWED_AS_VARIABLE = new Set(
  (
    "abstract any as async boolean declare get module namespace never number object of " +
    "readonly require set string symbol type unknown using bigint intrinsic infer is keyof unique asserts global"
  ).split(" "),
);

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * Ranges of Latin, Greek and Cyrillic letters, kana, ideographs and Hangul. All
 * of them are part of Unicode 6.
 */
const LETTER =
  "A-Za-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02af\\u0370-\\u0373\\u0376\\u0377\\u037b-\\u037d\\u0386\\u0388-\\u038a" +
  "\\u038c\\u038e-\\u03a1\\u03a3-\\u03f5\\u03f7-\\u0481\\u048a-\\u0527\\u3041-\\u3096\\u30a1-\\u30fa\\u4e00-\\u9fcb\\uac00-\\ud7a3";
const BARE_KEY = new RegExp(`^[$_${LETTER}][$_0-9${LETTER}]*$`);

/**
 * Tests whether a string is a valid name of a variable or type. Only ASCII is
 * accepted, since all tools support it.
 */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text);
}

/**
 * Tests whether a property key needs no quotes. As in Prettier, ECMAScript 5
 * identifiers need none. Quotes around any other key are always valid.
 */
export function isBareKey(text: string): boolean {
  return BARE_KEY.test(text);
}

/** Splits a string into sequences of letters, digits, `_` and `$`. */
function words(text: string): string[] {
  return text.match(/[A-Za-z0-9_$]+/g) ?? [];
}

/** Converts any string to a type name: `well-known` becomes WellKnown. */
export function pascalCase(text: string): string {
  const name = words(text)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  return name === "" ? "_" : /^\d/.test(name) ? `_${name}` : name;
}

/**
 * Returns the API name that is part of the names of the client and the server:
 * `canonicalName`, which contains word boundaries (`Android Publisher`), or
 * `name` if `canonicalName` is missing.
 */
export function apiTitle(api: {
  readonly name: string;
  readonly canonicalName?: string | undefined;
}): string {
  const title = pascalCase((api.canonicalName ?? "").slice(0, 100));
  return title === "_" ? pascalCase(api.name) : title;
}

/**
 * Converts any string to a variable name: `getOpenid-configuration` becomes
 * `getOpenidConfiguration`.
 */
export function camelCase(text: string): string {
  const [first = "_", ...rest] = words(text);
  const name =
    first.charAt(0).toLowerCase() +
    first.slice(1) +
    rest.map((word) => pascalCase(word)).join("");
  return /^\d/.test(name) ? `_${name}` : name;
}

/**
 * Names that exports must not have. `await import()` treats a module with an
 * export `then` as a promise. Bundlers lose an export `__proto__` when they
 * convert modules to objects.
 */
const UNSAFE_EXPORTS = new Set(["then", "__proto__"]);

/** Converts a name to a valid variable name: `delete` becomes `delete_`. */
export function safeVariable(name: string): string {
  const isReserved = RESERVED.has(name) && !ALLOWED_AS_VARIABLE.has(name);
  return isReserved || UNSAFE_EXPORTS.has(name) ? `${name}_` : name;
}

/**
 * Tests whether a name can be the name of an export: also true for reserved
 * words, as in `export { delete_ as delete }`.
 */
export function isExportName(name: string): boolean {
  return isIdentifier(name) && !UNSAFE_EXPORTS.has(name) && name !== "default";
}

/** Converts a name to a valid type name: `string` becomes `string_`. */
export function safeType(name: string): string {
  return RESERVED.has(name) ? `${name}_` : name;
}

/**
 * Set of unique names. A number is appended to a preferred name that is already
 * used.
 */
export class NameScope {
  readonly #taken = new Set<string>();
  /**
   * Numbers to append to preferred names that are already used, keyed by
   * preferred name. Without this map, reserving many equal names would take
   * quadratic time.
   */
  readonly #next = new Map<string, number>();
  readonly #fold: (name: string) => string;

  /**
   * @param ignoreCase true for file names, since some file systems ignore case
   */
  constructor(reserved: Iterable<string> = [], ignoreCase = false) {
    this.#fold = ignoreCase ? (name) => name.toLowerCase() : (name) => name;
    for (const name of reserved) this.#taken.add(this.#fold(name));
  }

  /**
   * Reserves the preferred name. If it is already used, appends the smallest
   * free number.
   */
  reserve(preferred: string): string {
    let name = preferred;
    if (this.has(name)) {
      const stem = /\d$/.test(preferred) ? `${preferred}_` : preferred;
      const key = this.#fold(stem);
      let count = this.#next.get(key) ?? 2;
      do name = `${stem}${count++}`;
      while (this.has(name));
      this.#next.set(key, count);
    }
    this.#taken.add(this.#fold(name));
    return name;
  }

  has(name: string): boolean {
    return this.#taken.has(this.#fold(name));
  }
}
