/** Options of `mock`. */
export interface MockOptions {
  /** Seed of the generated data. Default: `"1"`. */
  readonly seed?: string | undefined;
  /**
   * Responds with 404 for resources that are neither listed by the mock nor
   * created by a caller, and requires API keys. Default: false.
   */
  readonly strict?: boolean | undefined;
  /**
   * Serves each API below `/<name>/<version>/`, for APIs with conflicting
   * paths. Default: false.
   */
  readonly prefix?: boolean | undefined;
  /**
   * Validates responses of the mock against the schemas. An invalid response
   * becomes a 500. Default: false.
   */
  readonly validateAnswers?: boolean | undefined;
  /** Base of relative paths. Default: the working directory. */
  readonly cwd?: string | undefined;
}
