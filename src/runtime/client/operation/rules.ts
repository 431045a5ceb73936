/** Rules for polling a long-running operation. */
export interface OperationRules {
  /**
   * Path of the method that returns the current state of the operation, such as
   * `v1/{+name}`. Except for {@link name}, the variables of the path are
   * parameters of the call.
   */
  readonly poll: string;
  /** Query parameters of the call that polling requests repeat. */
  readonly query?: readonly string[];
  /**
   * Path variable whose value is the field `name` of the operation. Default:
   * `name`.
   */
  readonly name?: string;
}
