import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import type {
  PartedFile,
  StoredText,
  TextFile,
  TextPart,
  TextStore,
} from "../platform/text-store.js";
import { BufferedFile } from "./buffered-file.js";
import { PartFile } from "./part-file.js";
import type { StagingNames } from "./stage-group.js";

/**
 * Minimum length in characters of text that is written to the staging folder.
 */
const MIN_STAGED_LENGTH = 1 << 20;

/** Store that writes the parts of large files to the staging folder. */
export class StagedTexts implements TextStore {
  readonly #out: string;
  readonly #names: StagingNames;
  #parts: PartFile | undefined;
  /** Total length in characters of the stored parts. */
  #length = 0;

  /** @param out output folder, which contains the staging folder */
  constructor(out: string, names: StagingNames) {
    this.#out = out;
    this.#names = names;
  }

  keep(text: string): TextPart {
    this.#length += text.length;
    if (this.#length < MIN_STAGED_LENGTH) return text;
    this.#parts ??= new PartFile(this.#next());
    return this.#parts.add(text);
  }

  files(files: readonly PartedFile[]): TextFile[] {
    const created = files.map((file) => this.#file(file));
    this.#parts?.clear();
    this.#length = 0;
    return created;
  }

  close(): void {
    this.#parts?.close();
    this.#parts = undefined;
  }

  #file({ path: name, parts }: PartedFile): TextFile {
    const list = [...parts];
    return isLarge(list)
      ? new StoredFile(name, this.#write(list))
      : { path: name, text: list.join("") };
  }

  #next(): string {
    return path.join(this.#out, this.#names.next("new"));
  }

  #write(parts: readonly TextPart[]): StoredText {
    const file = this.#next();
    const sum = createHash("sha256");
    const descriptor = openSync(file, "wx");
    try {
      const writer = new BufferedFile(descriptor, (bytes) => sum.update(bytes));
      for (const part of parts)
        if (typeof part === "string") writer.write(part);
        else this.#parts!.read(part, (bytes) => writer.write(bytes));
      writer.flush();
      return { file, size: writer.size, hash: sum.digest("base64url") };
    } finally {
      closeSync(descriptor);
    }
  }
}

/**
 * Tests whether the parts of a file have at least MIN_STAGED_LENGTH characters
 * in total, or one of them is in a file.
 */
function isLarge(parts: readonly TextPart[]): boolean {
  let length = 0;
  return parts.some((part) => {
    length += typeof part === "string" ? part.length : MIN_STAGED_LENGTH;
    return length >= MIN_STAGED_LENGTH;
  });
}

/** Generated file whose text is in the staging folder. */
class StoredFile implements TextFile {
  constructor(
    readonly path: string,
    readonly stored: StoredText,
  ) {}

  get text(): string {
    return readFileSync(this.stored.file, "utf8");
  }
}
