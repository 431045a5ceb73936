import type { NameScope } from "../../model/names.js";
import { Code } from "./code.js";
import { ENTRIES, list, print } from "./layout.js";

/** Name that a file imports from a module. */
interface Imported {
  readonly name: string;
  readonly local: string;
  /** True if the name is used as a value. */
  isValue: boolean;
}

/** Namespace import of an entire module. */
interface Namespace {
  readonly module: string;
  readonly local: string;
  readonly use: NamespaceUse;
}

/** Use of a namespace in a file: only in types, or also in values. */
export type NamespaceUse = "type" | "value";

/**
 * Imports of one file. A name is imported when it is printed, so imports are
 * neither missing nor unused. Local names are reserved in the scope of the
 * file, which must already contain the names that the file declares.
 */
export class Imports {
  readonly #modules = new Map<string, Map<string, Imported>>();
  readonly #namespaces: Namespace[] = [];

  constructor(private readonly scope: NameScope) {}

  /** Imports a type; returns the name to use in the file. */
  type(module: string, name: string): string {
    return this.#add(module, name).local;
  }

  /** Imports a value; returns the name to use in the file. */
  value(module: string, name: string): string {
    const imported = this.#add(module, name);
    imported.isValue = true;
    return imported.local;
  }

  /**
   * Imports a module as a namespace. The local name must already be reserved.
   */
  namespace(module: string, local: string, use: NamespaceUse): void {
    this.#namespaces.push({ module, local, use });
  }

  #add(module: string, name: string): Imported {
    let names = this.#modules.get(module);
    if (names === undefined) this.#modules.set(module, (names = new Map()));
    let imported = names.get(name);
    if (imported === undefined) {
      const local = this.scope.has(name)
        ? this.scope.reserve(`${name}_`)
        : this.scope.reserve(name);
      imported = { name, local, isValue: false };
      names.set(name, imported);
    }
    return imported;
  }

  /**
   * Returns a blank line and the sorted import statements of a TypeScript file,
   * or empty code if there are no imports.
   */
  render(): Code {
    let text = "";
    const modules = [...this.#modules].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [module, names] of modules)
      text += statement(module, [...names.values()]);
    for (const { module, local, use } of this.#namespaces) {
      const keywords = use === "type" ? "import type" : "import";
      text += `${keywords} * as ${local} from ${JSON.stringify(module)};\n`;
    }
    return new Code(text === "" ? "" : `\n${text}`);
  }
}

function statement(module: string, names: readonly Imported[]): string {
  const onlyTypes = names.every(({ isValue }) => !isValue);
  const sorted = [...names]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((imported) => specifier(imported, onlyTypes));
  const keywords = onlyTypes ? "import type" : "import";
  return `${printNames(keywords, sorted, module)}\n`;
}

/**
 * Prints an import or export such as `import { a, b } from "module";`. A
 * statement with a single name is never broken across lines, as Prettier does.
 * @param head keywords before the braces
 * @param module absent for names that the file itself declares
 */
export function printNames(
  head: string,
  names: readonly string[],
  module?: string,
): string {
  const from = module === undefined ? ";" : ` from ${JSON.stringify(module)};`;
  return names.length === 1
    ? `${head} { ${names[0]} }${from}`
    : print([head, " ", list("{", names, "}", ENTRIES), from]);
}

/** @param onlyTypes true if the statement begins with `import type` */
function specifier(
  { name, local, isValue }: Imported,
  onlyTypes: boolean,
): string {
  const renamed = name === local ? name : `${name} as ${local}`;
  return isValue || onlyTypes ? renamed : `type ${renamed}`;
}
