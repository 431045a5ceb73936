/** Options of `mock`, which starts an in-memory mock. */
export interface MockOptions {
  /** Seed of the generated data. Default: `"1"`. */
  readonly seed?: string | undefined;
  /**
   * True to require API keys, and to respond with 404 for a resource that is
   * not in the list of its collection. Default: false.
   */
  readonly strict?: boolean | undefined;
  /**
   * True to serve each API below `/<name>/<version>/`, for APIs with
   * conflicting paths. Default: false.
   */
  readonly prefix?: boolean | undefined;
  /**
   * True to validate responses of the mock against the schemas. An invalid
   * response is replaced with a 500 response. Default: false.
   */
  readonly validateResponses?: boolean | undefined;
  /**
   * Folder against which relative paths are resolved. Default: the working
   * directory.
   */
  readonly cwd?: string | undefined;
}
