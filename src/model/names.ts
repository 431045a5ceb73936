/** Words that can't name a variable, parameter or type in TypeScript modules. */
const RESERVED = new Set(
  (
    "abstract any arguments as async await boolean break case catch class const continue debugger declare default " +
    "delete do else enum eval export extends false finally for function get if implements import in instanceof " +
    "interface let module namespace never new null number object of package private protected public require return " +
    "set static string super switch symbol this throw true try type typeof undefined unknown using var void while " +
    "with yield bigint intrinsic infer is keyof readonly unique asserts global NaN Infinity"
  ).split(" "),
);

/** Of those, the ones that are fine as names of variables. */
const FINE_AS_VARIABLE = new Set(
  (
    "abstract any as async boolean declare get module namespace never number object of " +
    "readonly require set string symbol type unknown using bigint intrinsic infer is keyof unique asserts global"
  ).split(" "),
);

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Letters of Latin, Greek, Cyrillic, kana, ideographs and Hangul, all in Unicode 6. */
const LETTER =
  "A-Za-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02af\\u0370-\\u0373\\u0376\\u0377\\u037b-\\u037d\\u0386\\u0388-\\u038a" +
  "\\u038c\\u038e-\\u03a1\\u03a3-\\u03f5\\u03f7-\\u0481\\u048a-\\u0527\\u3041-\\u3096\\u30a1-\\u30fa\\u4e00-\\u9fcb\\uac00-\\ud7a3";
const BARE_KEY = new RegExp(`^[$_${LETTER}][$_0-9${LETTER}]*$`);

/** Whether the text can name a variable or a type: ASCII, for every tool's sake. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text);
}

/**
 * Whether the text can stand as a property key without quotes, which Prettier
 * takes away from whatever was an identifier in ECMAScript 5. Scripts beyond
 * these keep the quotes: they are never wrong.
 */
export function isBareKey(text: string): boolean {
  return BARE_KEY.test(text);
}

/** Pieces of a name: runs of letters and digits, the rest separates. */
function words(text: string): string[] {
  return text.match(/[A-Za-z0-9_$]+/g) ?? [];
}

/** A type name from any text: `well-known` gives WellKnown. */
export function pascalCase(text: string): string {
  const name = words(text)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  return name === "" ? "_" : /^\d/.test(name) ? `_${name}` : name;
}

/**
 * Name of an API in the names of its client and server: the document's
 * `canonicalName`, which has word boundaries (`Android Publisher`), else `name`.
 */
export function apiTitle(api: {
  readonly name: string;
  readonly canonicalName?: string | undefined;
}): string {
  const title = pascalCase((api.canonicalName ?? "").slice(0, 100));
  return title === "_" ? pascalCase(api.name) : title;
}

/** A variable name from any text: `getOpenid-configuration` gives getOpenidConfiguration. */
export function camelCase(text: string): string {
  const [first = "_", ...rest] = words(text);
  const name =
    first.charAt(0).toLowerCase() +
    first.slice(1) +
    rest.map((word) => pascalCase(word)).join("");
  return /^\d/.test(name) ? `_${name}` : name;
}

/**
 * Names of exports that change what their module is: one with `then` is taken
 * for a promise by `await import()`, and `__proto__` gets lost where modules
 * are turned into objects.
 */
const UNSAFE_EXPORTS = new Set(["then", "__proto__"]);

/** Makes a word that is reserved for variables usable: `delete` gives delete_. */
export function safeVariable(name: string): string {
  const isReserved = RESERVED.has(name) && !FINE_AS_VARIABLE.has(name);
  return isReserved || UNSAFE_EXPORTS.has(name) ? `${name}_` : name;
}

/** Makes a word that is reserved for types usable. */
export function safeType(name: string): string {
  return RESERVED.has(name) ? `${name}_` : name;
}

/** A name reserved once: asking again for a taken one gives another. */
export class NameScope {
  readonly #taken = new Set<string>();
  /** Next number to try, by preferred name: a name that many want costs each of them one look. */
  readonly #next = new Map<string, number>();
  readonly #fold: (name: string) => string;

  /** @param ignoreCase for names that become files on any file system */
  constructor(reserved: Iterable<string> = [], ignoreCase = false) {
    this.#fold = ignoreCase ? (name) => name.toLowerCase() : (name) => name;
    for (const name of reserved) this.#taken.add(this.#fold(name));
  }

  /** The preferred name, or with the smallest free number behind it. */
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
