/** Generated text that is stored in a file of the staging folder. */
export interface StoredText {
  readonly file: string;
  /** Size in bytes. */
  readonly size: number;
  readonly hash: string;
}

/** Generated file. Its path contains forward slashes on all platforms. */
export interface TextFile {
  readonly path: string;
  /** Text of the file. Each access to a stored text reads the file again. */
  readonly text: string;
  readonly stored?: StoredText;
}

/** Part of a generated file: its text, or its number in the store. */
export type TextPart = string | number;

/** Generated file that is printed in parts. */
export interface PartedFile {
  readonly path: string;
  readonly parts: Iterable<TextPart>;
}

/**
 * Store for the generated files of a document. Large files are printed in parts,
 * so that memory never contains their complete text.
 */
export interface TextStore {
  /** Stores a part of a file. Returns its text or its number. */
  keep(text: string): TextPart;
  /** Creates files from their parts, then deletes all parts. */
  files(files: readonly PartedFile[]): TextFile[];
  /** Deletes all parts, but not the files that were created from them. */
  close(): void;
}

/** Store that keeps all parts in memory. */
export const memoryStore: TextStore = {
  keep: (text) => text,
  files: (files) =>
    files.map(({ path, parts }) => ({ path, text: [...parts].join("") })),
  close: () => undefined,
};
