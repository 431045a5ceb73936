/** Position in a file where the migration is not decided. */
export interface Todo {
  /** Line in the original file, starting at 1. */
  readonly line: number;
  /** Column in UTF-16 code units, starting at 1. */
  readonly column: number;
  readonly message: string;
}

/** Changes of a file. */
export interface MigratedFile {
  /** Path relative to the working directory, with forward slashes. */
  readonly file: string;
  /** Number of changed ranges; 0 if the file stays unchanged. */
  readonly edits: number;
  readonly todo: readonly Todo[];
  readonly before: string;
  /** Equal to `before` if the result would not parse. */
  readonly after: string;
}

/** Generated code of an API. */
export interface GeneratedApi {
  /** `name:version`. */
  readonly id: string;
  /** Name in identifiers, such as `Drive` in `createDrive`. */
  readonly title: string;
  /** Absolute path of its folder. */
  readonly folder: string;
  /** Absolute path of the folder `runtime` of its output. */
  readonly runtime: string;
  /** Suffix of imported files, such as `.js`. */
  readonly suffix: string;
  /** Returns the name of the type of a schema. */
  typeOf(schema: string): string;
  /** Returns the members that the body of a method must have. */
  requiredMembers(method: string): readonly string[];
  /** Tests whether a method returns content, and no JSON. */
  isContentOnly(method: string): boolean;
  /**
   * Returns the path of a method by a spelling of any case: `Instances.Aggregatedlist` →
   * `instances.aggregatedList`. Undefined if it is missing, or the document is.
   */
  methodNamed(path: string): string | undefined;
  /** Returns the path of a resource by a spelling of any case. */
  resourceNamed(path: string): string | undefined;
  /** Tests whether a method has a parameter; undefined if the document is missing. */
  hasParameter(method: string, parameter: string): boolean | undefined;
}

/** Finds the generated code of an API. */
export type FindApi = (name: string, version: string) => GeneratedApi;
