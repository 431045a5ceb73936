import { hash } from "../platform/hash.js";

/**
 * Settings of one document that affect its output. They are plain data, since
 * they are sent to the worker thread.
 */
export interface ApiSettings {
  /** Names of the targets to generate. */
  readonly target: readonly string[];
  /** Uses "Required." and "Output only." in descriptions for types. */
  readonly trustProse: boolean;
  /** Selectors of the methods to generate; all methods if it is empty. */
  readonly include?: readonly string[] | undefined;
  /** Selectors of methods to omit. */
  readonly exclude?: readonly string[] | undefined;
}

/** Documents of a run that share settings. */
export interface SpecSettings {
  /** Document as a file, folder or glob, or `-` for standard input. */
  readonly spec: string;
  readonly settings: ApiSettings;
}

/** Returns the hash of settings, for recognising unchanged inputs. */
export function settingsHash(settings: ApiSettings): string {
  return hash(JSON.stringify(settings));
}
