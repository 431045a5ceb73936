/** Generated file: its path with forward slashes, and its text. */
export interface OutputFile {
  readonly path: string;
  readonly text: string;
}
