import type { NameScope } from "../../model/names.js";
import type { ApiContext } from "../shared/api-context.js";
import { FileContext } from "../shared/file-context.js";
import type { TypeNames } from "../shared/types.js";

/**
 * Module of the server runtime by export. Names that are not listed are
 * exported by core.
 */
const MODULES: ReadonlyMap<string, string> = new Map([
  ["uploads", "uploads"],
  ["batch", "batch"],
  ["rawBody", "raw-body"],
]);

/** Names and imports of a generated server file. */
export class ServerFile {
  /** Imports from the API's other files and from the client runtime. */
  readonly shared: FileContext;

  constructor(
    private readonly context: ApiContext,
    readonly scope: NameScope,
  ) {
    this.shared = new FileContext(context, scope, "./");
  }

  /** Imports a type of the server runtime; returns its local name. */
  type(name: string): string {
    return this.shared.imports.type(this.#module(name), name);
  }

  /** Imports a value of the server runtime; returns its local name. */
  value(name: string): string {
    return this.shared.imports.value(this.#module(name), name);
  }

  /** Imports a function of validators.ts; returns its local name. */
  validator(name: string): string {
    const module = this.shared.sibling("validators");
    return this.shared.imports.value(module, name);
  }

  /** Returns the names of the types in schemas.ts. Using a name imports it. */
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
