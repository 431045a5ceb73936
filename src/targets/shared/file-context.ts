import type { NameScope } from "../../model/names.js";
import { Code } from "../../render/typescript/code.js";
import { Imports } from "../../render/typescript/imports.js";
import { callOf, print } from "../../render/typescript/layout.js";
import type { ApiContext } from "./api-context.js";
import { runtimeModuleOf } from "./client-modules.js";
import { definitionType } from "./type-names.js";
import type { TypeNames } from "./types.js";

/**
 * Prints the first line of a function that creates a client. The line is
 * wrapped if it is too long.
 */
export function factoryHead(
  name: string,
  parameter: string,
  result: string,
): Code {
  const head = callOf(`export function ${name}`, `${parameter} = {}`);
  return new Code(print([head, `: ${result} {`]));
}

/** Returns the names of the types that schemas.ts declares. */
export function declaredTypes({
  definitions,
  names,
}: ApiContext): Pick<TypeNames, "isNullable" | "definition"> {
  return {
    // Aliases include `null` in their own type.
    isNullable: (id) => definitions.get(id)?.nullable === true,
    definition: (id, direction) => definitionType(id, direction, names),
  };
}

/** Names and imports of a generated file. */
export class FileContext {
  readonly imports: Imports;
  /** Import paths of the runtime's modules, by the name that they export. */
  readonly #modules = new Map<string, string>();

  constructor(
    private readonly context: ApiContext,
    readonly scope: NameScope,
    /**
     * Path of the API's folder relative to the file: `../` for files in
     * resources/.
     */
    private readonly base: "./" | "../",
  ) {
    this.imports = new Imports(scope);
  }

  /** Returns the import path of another file of the API. */
  sibling(file: string): string {
    return this.suffixed(`${this.base}${file}`);
  }

  /**
   * Returns the import path of the client runtime module that exports a name.
   */
  runtime(name: string): string {
    let module = this.#modules.get(name);
    if (module === undefined)
      this.#modules.set(name, (module = this.#runtimePath(name)));
    return module;
  }

  #runtimePath(name: string): string {
    const module = runtimeModuleOf(name);
    const { runtimeModule } = this.context.options;
    if (runtimeModule !== undefined) return `${runtimeModule}/client/${module}`;
    const depth = this.base === "./" ? "../../" : "../../../";
    return this.suffixed(`${depth}runtime/client/${module}`);
  }

  /** Imports a type of the client runtime; returns its local name. */
  runtimeType(name: string): string {
    return this.imports.type(this.runtime(name), name);
  }

  /** Imports a value of the client runtime; returns its local name. */
  runtimeValue(name: string): string {
    return this.imports.value(this.runtime(name), name);
  }

  /** Returns the names of the types in schemas.ts. Using a name imports it. */
  schemaTypes(): TypeNames {
    const mentioned = this.mentionedTypes();
    const module = this.sibling("schemas");
    return {
      isNullable: mentioned.isNullable,
      definition: (id, direction) =>
        this.imports.type(module, mentioned.definition(id, direction)),
      double: () => this.runtimeType("Double"),
    };
  }

  /**
   * Returns the names of the types in schemas.ts for use in comments, which
   * import nothing.
   */
  mentionedTypes(): TypeNames {
    return {
      ...declaredTypes(this.context),
      double: () => "Double",
    };
  }

  private suffixed(module: string): string {
    return module + this.context.options.importSuffix;
  }
}
