/** Text in a file of the staging folder. */
export interface StoredText {
  readonly file: string;
  /** Size in bytes. */
  readonly size: number;
  readonly hash: string;
}

/** Generated file. Its path contains forward slashes on all platforms. */
export interface TextFile {
  readonly path: string;
  /** Text of the file. A stored text is read again at each access. */
  readonly text: string;
  readonly stored?: StoredText;
}

/** Part of the text of a file, or its number in the store. */
export type TextPart = string | number;

/** File that consists of strings, and of parts that the store keeps. */
export interface PartedFile {
  readonly path: string;
  readonly parts: Iterable<TextPart>;
}

/**
 * Store for the texts of a document. Large files are printed in parts, so that
 * their text is not in memory at once.
 */
export interface TextStore {
  /** Stores a part of the next files. Returns it, or its number. */
  keep(text: string): TextPart;
  /** Creates files, and deletes all parts. */
  files(files: readonly PartedFile[]): TextFile[];
  /** Deletes all parts. Files that were created are not deleted. */
  close(): void;
}

/** Store that leaves all texts in memory. */
export const memoryStore: TextStore = {
  keep: (text) => text,
  files: (files) =>
    files.map(({ path, parts }) => ({ path, text: [...parts].join("") })),
  close: () => undefined,
};
