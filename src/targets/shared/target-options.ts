/** Settings that change what targets print. */
export interface TargetOptions {
  /** Suffix of relative imports: `.js`, `.ts` or nothing. */
  readonly importSuffix: ".js" | ".ts" | "";
  /** Names of all targets of the run; absent if only the called target runs. */
  readonly targets?: readonly string[];
  /** Folder that runtimes are imported from; absent if the output has copies. */
  readonly runtimeModule?: string;
  /** True if prose such as "Required." binds types. */
  readonly trustProse: boolean;
}
