/** Position of a use in the user's code. */
export interface UsePosition {
  /** Path relative to the working directory, with forward slashes. */
  readonly file: string;
  /** Line, starting at 1. */
  readonly line: number;
  /** Column in UTF-16 code units, starting at 1. */
  readonly column: number;
  /**
   * True if types do not determine what the code uses here, such as an object
   * that becomes `any`, or a computed name. Everything that it could use counts
   * as used.
   */
  readonly undecided?: true;
}

/** Output folder of an API. */
export interface ApiOutputFolder {
  /** API as `name:version`. */
  readonly api: string;
  /** Folder of generated code (`--out`), relative to the working directory. */
  readonly out: string;
}

/** Code whose use of generated clients and servers is determined. */
export interface UserCode {
  readonly cwd: string;
  /** Globs of TypeScript and JavaScript files, relative to `cwd`. */
  readonly patterns: readonly string[];
  /**
   * Output folders of APIs. For other APIs, folders with a manifest of generated
   * code are found through the files that the code imports.
   */
  readonly outputs: readonly ApiOutputFolder[];
}
