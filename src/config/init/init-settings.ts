/** Formats of config files that `gen init` writes. */
export const FORMATS: readonly ["yaml", "json", "ts"] = ["yaml", "json", "ts"];

/** Settings of a new config. */
export interface InitSettings {
  /** APIs, each as `name:version` or as a file. */
  readonly api: readonly string[];
  readonly out: string;
  readonly target: readonly string[];
  readonly format: (typeof FORMATS)[number];
  /** True to add an npm script `generate` to package.json. */
  readonly script: boolean;
}
