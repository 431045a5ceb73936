/** Settings that change what targets print. */
export interface TargetOptions {
  /** File extension in relative imports: `.js`, `.ts`, or empty. */
  readonly importSuffix: ".js" | ".ts" | "";
  /** Names of all targets of the run; absent if a single target is printed. */
  readonly targets?: readonly string[];
  /**
   * Folder that runtimes are imported from; absent if the output contains
   * copies of them.
   */
  readonly runtimeModule?: string;
  /** True if descriptions such as "Required." change types. */
  readonly trustProse: boolean;
}
