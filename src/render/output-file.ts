/** Generated file. Its path has forward slashes. */
export interface OutputFile {
  readonly path: string;
  readonly text: string;
}
