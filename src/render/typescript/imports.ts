import type { NameScope } from "../../model/names.js";
import { Code } from "./code.js";
import { ENTRIES, list, print } from "./layout.js";

/** Name that a file imports from a module. */
interface Imported {
  readonly name: string;
  readonly local: string;
  isType: boolean;
}

/**
 * Imports of one file. Printing a name imports it, so that imports are neither
 * missing nor unused. Local names are reserved in the scope of the file, which
 * must already contain the names that the file declares.
 */
export class Imports {
  readonly #modules = new Map<string, Map<string, Imported>>();
  readonly #namespaces: string[] = [];

  constructor(private readonly scope: NameScope) {}

  /** Imports a type; returns the name to use in the file. */
  type(module: string, name: string): string {
    return this.#add(module, name, true).local;
  }

  /** Imports a value; returns the name to use in the file. */
  value(module: string, name: string): string {
    const imported = this.#add(module, name, false);
    imported.isType = false;
    return imported.local;
  }

  /**
   * Imports a module as a namespace. The caller must have reserved the local
   * name.
   */
  namespace(module: string, local: string, isType = false): void {
    this.#namespaces.push(
      `import ${isType ? "type " : ""}* as ${local} from ${JSON.stringify(module)};\n`,
    );
  }

  #add(module: string, name: string, isType: boolean): Imported {
    let names = this.#modules.get(module);
    if (names === undefined) this.#modules.set(module, (names = new Map()));
    let imported = names.get(name);
    if (imported === undefined) {
      const local = this.scope.has(name)
        ? this.scope.reserve(`${name}_`)
        : this.scope.reserve(name);
      names.set(name, (imported = { name, local, isType }));
    }
    return imported;
  }

  /**
   * Prints a blank line and the sorted import statements; empty code if there
   * are no imports.
   */
  render(): Code {
    const statements = [...this.#modules]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([module, names]) => statement(module, [...names.values()]));
    const text = statements.join("") + this.#namespaces.join("");
    return new Code(text === "" ? "" : `\n${text}`);
  }
}

function statement(module: string, names: readonly Imported[]): string {
  const onlyTypes = names.every((imported) => imported.isType);
  const sorted = [...names]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((imported) => specifier(imported, onlyTypes));
  const head = onlyTypes ? "import type" : "import";
  return `${printNames(head, sorted, module)}\n`;
}

/**
 * Prints an import or export such as `import { a, b } from "module";`. As in
 * Prettier, a line with a single name is never broken.
 * @param head keywords before the braces
 */
export function printNames(
  head: string,
  names: readonly string[],
  module: string,
): string {
  const from = ` from ${JSON.stringify(module)};`;
  return names.length === 1
    ? `${head} { ${names[0]} }${from}`
    : print([head, " ", list("{", names, "}", ENTRIES), from]);
}

function specifier(
  { name, local, isType }: Imported,
  onlyTypes: boolean,
): string {
  const renamed = name === local ? name : `${name} as ${local}`;
  return isType && !onlyTypes ? `type ${renamed}` : renamed;
}
