/** Generated file. Its path contains forward slashes on all platforms. */
export interface OutputFile {
  readonly path: string;
  readonly text: string;
}
