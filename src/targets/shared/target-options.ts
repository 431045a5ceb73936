/** Language of generated modules. */
export type Emit = "ts" | "js";

/**
 * Settings of all generated modules: imports between them and from the runtimes,
 * language, and type checks.
 */
export interface ImportOptions {
  /** File extension in relative imports: `.js`, `.ts`, or an empty string. */
  readonly importSuffix: ".js" | ".ts" | "";
  /**
   * Folder from which generated code imports the runtimes; absent if the output
   * contains copies of the runtimes.
   */
  readonly runtimeModule?: string;
  /** Language of generated modules. Default: TypeScript. */
  readonly emit?: Emit;
  /**
   * TypeScript files in which a comment disables type checks: copied runtimes, or
   * all files. Default: none.
   */
  readonly tsNocheck?: "runtime" | "all";
}

/** Settings that affect the output of targets. */
export interface TargetOptions extends ImportOptions {
  /**
   * Names of all targets that are generated for the document; absent if only
   * one target is generated.
   */
  readonly targets?: readonly string[];
  /**
   * True if descriptions that start with words such as "Required." affect the
   * generated types.
   */
  readonly trustProse: boolean;
  /**
   * True if validators.ts contains only functions, and no Standard Schema
   * objects for use with other libraries. Default: false.
   */
  readonly functionsOnly?: boolean;
  /**
   * True if the server consists of routes.ts alone, without the types of its
   * services. Default: false.
   */
  readonly routesOnly?: boolean;
  /** Format of OpenAPI documents. Default: JSON. */
  readonly openapiFormat?: "json" | "yaml";
  /** True to write a separate OpenAPI file for each path and schema. */
  readonly openapiSplit?: boolean;
  /** True to write a separate file for each JSON Schema. */
  readonly jsonSchemaSplit?: boolean;
}
