import type { NameScope } from "../../model/names.js";
import type { Code } from "../../render/typescript/code.js";
import { Imports } from "../../render/typescript/imports.js";
import { functionHead } from "../../render/typescript/signature.js";
import type { ApiContext } from "./api-context.js";
import { definitionType } from "./type-names.js";
import type { TypeNames } from "./types.js";

/** Prints the first line of a function that creates a client. */
export function factoryHead(
  name: string,
  parameter: string,
  type: string,
  result: string,
): Code {
  const parameters = [{ name: parameter, type, default: "{}" }];
  return functionHead({ name, parameters, result });
}

/** Returns the names of the types that schemas.ts declares. */
export function declaredTypes({
  definitions,
  names,
}: ApiContext): Pick<TypeNames, "isNullable" | "definition"> {
  return {
    // The type of an alias already includes `null`, so aliases are excluded
    // here.
    isNullable: (id) => definitions.get(id)?.nullable === true,
    definition: (id, direction) => definitionType(id, direction, names),
  };
}

/** Names and imports of one generated file. */
export class FileContext {
  readonly imports: Imports;
  /**
   * Map from a name of the client runtime to the import path of the module that
   * exports it.
   */
  readonly #modules = new Map<string, string>();

  constructor(
    private readonly context: ApiContext,
    readonly scope: NameScope,
    /**
     * Path from the file to the API's folder: `../` for files in resources/.
     */
    private readonly base: "./" | "../",
  ) {
    this.imports = new Imports(scope);
  }

  /** Returns the import path of another file in the API's folder. */
  sibling(file: string): string {
    return this.suffixed(`${this.base}${file}`);
  }

  /**
   * Returns the import path of the client runtime's module that exports a name.
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

  /** Imports a type from the client runtime; returns its local name. */
  runtimeType(name: string): string {
    return this.imports.type(this.runtime(name), name);
  }

  /** Imports a value from the client runtime; returns its local name. */
  runtimeValue(name: string): string {
    return this.imports.value(this.runtime(name), name);
  }

  /**
   * Returns functions that import types from schemas.ts and return their local
   * names.
   */
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
   * Returns functions that return the names of types in schemas.ts for use in
   * comments. These names are not imported.
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

/**
 * Map from each module of the client runtime to the names that generated code
 * imports from it.
 */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  batch: ["batches", "Batches"],
  bind: ["bindClient", "Bound", "BoundMethod"],
  "token-pagination": ["tokenPagination", "PagedCall", "PagesCall"],
  media: ["download", "Media", "MediaCall"],
  "http-body": ["rawBody", "RawBody", "rawResponse"],
  upload: ["upload", "MediaParameter", "UploadMedia"],
  operation: ["operation", "OperationCall"],
  stream: ["events", "jsonArray", "StreamCall"],
  "link-pagination": ["linkPagination", "ListCall"],
  "redirect-download": ["redirectDownload", "RedirectCall"],
  "call-types": ["HeadedCall"],
  credential: ["credential", "CredentialRules", "withCredential"],
  "header-parameters": ["headerParameters"],
  "request-id": ["requestId"],
  "described-errors": [
    "describedErrors",
    "isDescribedError",
    "DescribedError",
    "ErrorStatus",
  ],
  auth: ["Auth", "TokenSource"],
  scopes: ["smallestScopes", "ScopeSet", "ScopedMethod"],
  template: ["expandTemplate"],
  "data-wrapper": ["dataWrapper"],
  "json-body": ["jsonBody"],
  values: ["keepReserved"],
  contract: ["CallResult", "ReadError"],
  fields: ["CheckFields", "Select"],
  "selected-call": ["FieldsParameter", "Misplaced", "SelectedCall"],
  "with-options": ["Derivable"],
  types: ["Double", "Input", "OrMedia", "Patch", "WithRequired"],
};

const BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(MODULES).flatMap(([module, names]) =>
    names.map((name) => [name, module] as const),
  ),
);

/**
 * Returns the module of the client runtime that exports a name. Names that are
 * not listed are exported by the module `core`.
 */
function runtimeModuleOf(name: string): string {
  return BY_NAME.get(name) ?? "core";
}
