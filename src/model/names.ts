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
    "abstract any as async boolean declare get module namespace never number object of private protected " +
    "public readonly require set string symbol type unknown using bigint intrinsic infer is keyof unique asserts global"
  )
    .split(" ")
    .filter((word) => !["private", "protected", "public"].includes(word)),
);

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Whether the text can stand as a property name without quotes. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text);
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

/** A variable name from any text: `getOpenid-configuration` gives getOpenidConfiguration. */
export function camelCase(text: string): string {
  const [first = "_", ...rest] = words(text);
  const name =
    first.charAt(0).toLowerCase() +
    first.slice(1) +
    rest.map((word) => pascalCase(word)).join("");
  return /^\d/.test(name) ? `_${name}` : name;
}

/** Makes a word that is reserved for variables usable: `delete` gives delete_. */
export function safeVariable(name: string): string {
  return RESERVED.has(name) && !FINE_AS_VARIABLE.has(name) ? `${name}_` : name;
}

/** Makes a word that is reserved for types usable. */
export function safeType(name: string): string {
  return RESERVED.has(name) ? `${name}_` : name;
}

/** A name allotted once: asking again for a taken one gives another. */
export class NameScope {
  readonly #taken = new Set<string>();
  readonly #fold: (name: string) => string;

  /** @param ignoreCase for names that become files on any file system */
  constructor(reserved: Iterable<string> = [], ignoreCase = false) {
    this.#fold = ignoreCase ? (name) => name.toLowerCase() : (name) => name;
    for (const name of reserved) this.#taken.add(this.#fold(name));
  }

  /** The preferred name, or with the smallest free number behind it. */
  allot(preferred: string): string {
    let name = preferred;
    for (let count = 2; this.#taken.has(this.#fold(name)); count++) {
      name = /\d$/.test(preferred)
        ? `${preferred}_${count}`
        : `${preferred}${count}`;
    }
    this.#taken.add(this.#fold(name));
    return name;
  }

  has(name: string): boolean {
    return this.#taken.has(this.#fold(name));
  }
}
