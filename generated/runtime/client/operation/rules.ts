/* eslint-disable */
// biome-ignore-all lint: generated

/** Rules for polling a long-running operation. */
export interface OperationRules {
  /**
   * Path of the method that returns the current state of the operation, such as
   * `v1/{+name}`. The values of path variables are taken from the call's
   * parameters, except for the variable {@link name}.
   */
  readonly poll: string;
  /**
   * Names of query parameters. Their values are copied from the call to the
   * polling requests.
   */
  readonly query?: readonly string[];
  /**
   * Path variable whose value is the operation's field `name`. Default: `name`.
   */
  readonly name?: string;
}
