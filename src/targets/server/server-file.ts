import type { NameScope } from "../../model/names.js";
import type { ApiContext } from "../shared/api-context.js";
import { FileContext } from "../shared/file-context.js";
import type { TypeNames } from "../shared/types.js";

/** Modules of the runtime by what generated code imports of them; the rest is in core. */
const MODULES: ReadonlyMap<string, string> = new Map([
  ["uploads", "uploads"],
  ["batch", "batch"],
  ["rawBody", "raw-body"],
]);

/** One generated file of the server: its imports, and where modules are from here. */
export class ServerFile {
  /** Imports of the API's other files, and of the client's types. */
  readonly shared: FileContext;

  constructor(
    private readonly context: ApiContext,
    readonly scope: NameScope,
  ) {
    this.shared = new FileContext(context, scope, "./");
  }

  /** A type of the server's runtime. */
  type(name: string): string {
    return this.shared.imports.type(this.#module(name), name);
  }

  /** A value of the server's runtime. */
  value(name: string): string {
    return this.shared.imports.value(this.#module(name), name);
  }

  /** A function of validators.ts. */
  validator(name: string): string {
    const module = this.shared.sibling("validators");
    return this.shared.imports.value(module, name);
  }

  /** Types of schemas.ts. */
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
