import type { Emit } from "../../render/typescript/signature.js";

/** Form of the imports between generated files and of the runtimes. */
export interface ImportOptions {
  /** File extension in relative imports: `.js`, `.ts`, or empty. */
  readonly importSuffix: ".js" | ".ts" | "";
  /**
   * Folder that runtimes are imported from; absent if the output contains
   * copies of them.
   */
  readonly runtimeModule?: string;
  /** Language of generated modules. Default: TypeScript. */
  readonly emit?: Emit;
}

/** Settings that change what targets print. */
export interface TargetOptions extends ImportOptions {
  /**
   * Names of all targets of the document; absent if a single target is printed.
   */
  readonly targets?: readonly string[];
  /** True if descriptions such as "Required." change types. */
  readonly trustProse: boolean;
  /**
   * True if validators.ts contains only functions, without the values that
   * other libraries accept. Default: false.
   */
  readonly functionsOnly?: boolean;
  /** Format of OpenAPI documents. Default: JSON. */
  readonly openapiFormat?: "json" | "yaml";
  /** True for a file for each path and schema of OpenAPI documents. */
  readonly openapiSplit?: boolean;
  /** True for a file for each JSON Schema. */
  readonly jsonSchemaSplit?: boolean;
}
