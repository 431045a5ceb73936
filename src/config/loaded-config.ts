import type { TextPosition } from "../diagnostics/locate.js";

/** Unchecked content of a config file. */
export interface LoadedConfig {
  readonly value: unknown;
  /**
   * Returns the position of the key or element at a JSON pointer. Configs in
   * JavaScript and TypeScript have no positions.
   */
  readonly positionOf?: (pointer: string) => TextPosition | undefined;
}

/** Error for a config file that can't be parsed or run. */
export class ConfigFileError extends Error {
  constructor(
    message: string,
    readonly position?: TextPosition,
  ) {
    super(message);
  }
}
