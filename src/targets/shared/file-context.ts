import type { NameScope } from "../../model/names.js";
import { Code } from "../../render/typescript/code.js";
import { Imports } from "../../render/typescript/imports.js";
import type { ApiContext } from "./api-context.js";
import { runtimeModuleOf } from "./client-modules.js";
import { definitionType } from "./type-names.js";
import type { TypeNames } from "./types.js";

/** The head of a function that makes a client; Prettier breaks one that does not fit. */
export function factoryHead(
  name: string,
  parameter: string,
  result: string,
): Code {
  const line = `export function ${name}(${parameter} = {}): ${result} {`;
  return new Code(
    line.length <= 80
      ? line
      : `export function ${name}(\n  ${parameter} = {},\n): ${result} {`,
  );
}

/** Returns the type names that schemas.ts declares. */
export function declaredTypes({
  definitions,
  names,
}: ApiContext): Pick<TypeNames, "isNullable" | "definition"> {
  return {
    // Aliases declare `null` in their own type.
    isNullable: (id) => definitions.get(id)?.nullable === true,
    definition: (id, direction) => definitionType(id, direction, names),
  };
}

/** One file's names: its scope, its imports, and where modules are from here. */
export class FileContext {
  readonly imports: Imports;

  constructor(
    private readonly context: ApiContext,
    readonly scope: NameScope,
    /** `./` for files in the API's folder, `../` for those in resources/. */
    private readonly base: "./" | "../",
  ) {
    this.imports = new Imports(scope);
  }

  /** Another file of the API, as it is imported from here. */
  sibling(file: string): string {
    return this.suffixed(`${this.base}${file}`);
  }

  /** The module of the runtime that has a name, as it is imported from here. */
  runtime(name: string): string {
    const module = runtimeModuleOf(name);
    const { runtimeModule } = this.context.options;
    if (runtimeModule !== undefined) return `${runtimeModule}/client/${module}`;
    const depth = this.base === "./" ? "../../" : "../../../";
    return this.suffixed(`${depth}runtime/client/${module}`);
  }

  /** A type of the runtime. */
  runtimeType(name: string): string {
    return this.imports.type(this.runtime(name), name);
  }

  /** A value of the runtime. */
  runtimeValue(name: string): string {
    return this.imports.value(this.runtime(name), name);
  }

  /** Types of schemas.ts, imported as they are printed. */
  schemaTypes(): TypeNames {
    const mentioned = this.mentionedTypes();
    return {
      isNullable: mentioned.isNullable,
      definition: (id, direction) =>
        this.imports.type(
          this.sibling("schemas"),
          mentioned.definition(id, direction),
        ),
      double: () => this.runtimeType("Double"),
    };
  }

  /** Types of schemas.ts as comments call them, which import nothing. */
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
