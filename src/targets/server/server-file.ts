import type { NameScope } from "../../model/names.js";
import type { ApiContext } from "../shared/api-context.js";
import { FileContext } from "../shared/file-context.js";
import type { TypeNames } from "../shared/types.js";

/**
 * Map from exported name to the module of the server runtime that exports it.
 * All other names are exported by the module `core`.
 */
const MODULES: ReadonlyMap<string, string> = new Map([
  ["uploads", "uploads"],
  ["batch", "batch"],
  ["rawBody", "raw-body"],
]);

/** Names and imports of a file of the generated server. */
export class ServerFile {
  /** Imports from other files of the API and from the client runtime. */
  readonly shared: FileContext;

  constructor(
    private readonly context: ApiContext,
    readonly scope: NameScope,
  ) {
    this.shared = new FileContext(context, scope, "./");
  }

  /** Imports a type from the server runtime; returns its local name. */
  type(name: string): string {
    return this.shared.imports.type(this.#module(name), name);
  }

  /** Imports a value from the server runtime; returns its local name. */
  value(name: string): string {
    return this.shared.imports.value(this.#module(name), name);
  }

  /** Imports a function from validators.ts; returns its local name. */
  validator(name: string): string {
    const module = this.shared.sibling("validators");
    return this.shared.imports.value(module, name);
  }

  /**
   * Returns functions that return the names of types in schemas.ts. Each
   * returned name is imported.
   */
  types(): TypeNames {
    return this.shared.schemaTypes();
  }

  #module(name: string): string {
    const module = MODULES.get(name) ?? "core";
    const { runtimeModule, importSuffix } = this.context.options;
    return runtimeModule === undefined
      ? `../../runtime/server/${module}${importSuffix}`
      : `${runtimeModule}/server/${module}`;
  }
}
