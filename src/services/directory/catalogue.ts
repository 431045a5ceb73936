// This file is longer than 250 lines, because a single class changes the state
// of all files.
import { readFileSync } from "node:fs";
import path from "node:path";
import { setImmediate as yieldToRequests } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { REST_DESCRIPTION } from "../../load/kind.js";
import {
  type DocumentSummary,
  summaryOf,
} from "../../site/document-summary.js";
import { viewOf } from "../../site/json-view.js";
import type { LogLine } from "../service.js";
import { ByteCache } from "./byte-cache.js";
import { CompressedBody } from "./compressed-body.js";
import {
  type CheckedDocument,
  checkFile,
  type DocumentErrors,
} from "./document-check.js";
import {
  type DocumentFile,
  type FolderContent,
  listFolder,
  MAX_FILE,
  readFile,
} from "./folder.js";
import { specsFolder } from "./package-folder.js";

const expand = promisify(gunzip);

/** Maximum size of cached decompressed documents in bytes. */
const CACHE_BYTES = 8 * 1024 * 1024;

interface FileState {
  readonly file: DocumentFile;
  /**
   * Summary of the document, which is read before or during the check;
   * undefined if the file is invalid.
   */
  readonly summary: DocumentSummary | undefined;
  /** Last valid version of the document; undefined until a check succeeds. */
  readonly lastValid: CheckedDocument | undefined;
  /**
   * Running or completed check of the current version of the file; undefined if
   * the check has not started.
   */
  readonly check: Promise<void> | undefined;
}

/**
 * Document that the directory serves. `file` is undefined for the description
 * of the directory's own API.
 */
interface ServedDocument {
  readonly summary: DocumentSummary;
  readonly file: string | undefined;
}

/** Id of the description of the directory's own API. */
export const DIRECTORY_ID = "discovery:v1";

/**
 * Documents in a folder. Only the top-level members of a document are needed to
 * list it; they are read within milliseconds. Complete documents are checked
 * later, one at a time, or when they are requested. Invalid documents are
 * reported and not served. If a file becomes invalid, its last valid version is
 * still served.
 */
export class Catalogue {
  readonly #folder: string;
  readonly #reports: DocumentReports;
  readonly #directoryPath: string;
  readonly #files = new Map<string, FileState>();
  readonly #directoryDocument: {
    readonly summary: DocumentSummary;
    readonly bytes: Buffer;
  };
  readonly #cache = new ByteCache<Buffer>(CACHE_BYTES);
  #documents = new Map<string, ServedDocument>();
  #isClosed = false;
  #checking: Promise<void> = Promise.resolve();
  /**
   * Function that is called when the set or content of the served documents has
   * changed.
   */
  onChange: () => void = () => {};

  constructor(folder: string, log: (line: LogLine) => void) {
    this.#folder = folder;
    this.#reports = new DocumentReports(log);
    this.#directoryPath = path.join(specsFolder(), "discovery.v1.json");
    const bytes = readFileSync(this.#directoryPath);
    const summary = summaryOf(viewOf(bytes));
    if (summary === undefined)
      throw new Error("the package's specs/discovery.v1.json is invalid");
    this.#directoryDocument = { summary, bytes };
  }

  /**
   * Lists all files. Returns the files and subfolders, so that the caller can
   * watch the subfolders.
   */
  open(): FolderContent {
    const content = listFolder(this.#folder);
    const buffer = Buffer.allocUnsafeSlow(
      Math.min(
        MAX_FILE,
        content.files.reduce((most, { size }) => Math.max(most, size), 0),
      ),
    );
    for (const file of content.files)
      this.#put({
        file,
        summary: readSummary(file, buffer),
        lastValid: undefined,
        check: undefined,
      });
    this.#reports.folderProblems(content);
    this.#updateDocuments();
    return content;
  }

  /** Finds changed files and starts to check them. */
  rescan(): FolderContent {
    const content = listFolder(this.#folder);
    this.#reports.folderProblems(content);
    if (!content.exists) return content;
    const names = new Set(content.files.map(({ name }) => name));
    let isChanged = false;
    for (const name of this.#files.keys())
      if (!names.has(name)) isChanged = this.#files.delete(name) || isChanged;
    for (const file of content.files) {
      const state = this.#files.get(file.name);
      if (state?.file.signature === file.signature) continue;
      const { summary, lastValid } = state ?? {};
      // A file without a valid version is not served before it has been
      // checked.
      const shown = lastValid === undefined ? undefined : summary;
      this.#put({ file, summary: shown, lastValid, check: undefined });
      isChanged = true;
    }
    if (isChanged) this.#updateDocuments();
    void this.checkAll();
    return content;
  }

  /**
   * Checks new and changed files. Pauses after each file, so that requests are
   * not delayed. Never rejects.
   */
  checkAll(): Promise<void> {
    this.#checking = this.#checking.then(async () => {
      for (const name of this.#files.keys()) {
        if (this.#isClosed) return;
        if (this.#files.get(name)?.check !== undefined) continue;
        await this.#check(name);
        await yieldToRequests();
      }
    });
    return this.#checking;
  }

  /** Summaries of all documents, sorted by id. */
  get summaries(): readonly DocumentSummary[] {
    return [...this.#documents.values()].map(({ summary }) => summary);
  }

  find(id: string): DocumentSummary | undefined {
    return this.#documents.get(id)?.summary;
  }

  /**
   * Returns the unchanged bytes of the document with an id; undefined if it
   * does not exist.
   */
  async read(id: string): Promise<Buffer | CompressedBody | undefined> {
    const document = this.#documents.get(id);
    if (document === undefined) return undefined;
    if (document.file === undefined) return this.#directoryDocument.bytes;
    if (this.#files.get(document.file)?.lastValid === undefined)
      await this.#check(document.file);
    const lastValid = this.#files.get(document.file)?.lastValid;
    // There is no valid version if the check found errors. If the file was
    // replaced, it can contain the document of another API.
    if (lastValid === undefined || lastValid.summary.id !== id)
      return undefined;
    return new CompressedBody(lastValid, () => this.#bytesOf(lastValid));
  }

  close(): void {
    this.#isClosed = true;
    this.onChange = () => {};
  }

  async #bytesOf({
    digest,
    compressed,
    size,
  }: CheckedDocument): Promise<Buffer> {
    const cached = this.#cache.get(digest);
    if (cached !== undefined) return cached;
    // The output is a single chunk of the final size, so no chunks have to be
    // concatenated.
    const chunkSize = Math.max(size + 1, 64);
    const bytes = await expand(compressed, {
      chunkSize,
      maxOutputLength: chunkSize,
    });
    this.#cache.set(digest, bytes, bytes.length);
    return bytes;
  }

  #put(state: FileState): void {
    this.#files.set(state.file.name, state);
  }

  /** Checks the current version of a file. Concurrent calls share one check. */
  #check(name: string): Promise<void> {
    const state = this.#files.get(name);
    if (state === undefined) return Promise.resolve();
    if (state.check !== undefined) return state.check;
    const check = checkFile(state.file).then((result) =>
      this.#applyCheck(state.file, result),
    );
    this.#put({ ...state, check });
    return check;
  }

  #applyCheck(
    file: DocumentFile,
    result: CheckedDocument | DocumentErrors,
  ): void {
    const state = this.#files.get(file.name);
    // The file was changed or deleted during the check, so another check
    // follows.
    if (state?.file !== file || this.#isClosed) return;
    if ("compressed" in result) {
      const isSame = isSameSummary(state.summary, result.summary);
      const hadBytes = state.lastValid !== undefined;
      this.#put({ ...state, summary: result.summary, lastValid: result });
      if (isSame && !hadBytes) return;
    } else {
      this.#reports.invalid(file, result, state.lastValid !== undefined);
      if (state.lastValid !== undefined) return;
      this.#put({ ...state, summary: undefined });
    }
    this.#updateDocuments();
  }

  /**
   * Determines which document is served for each id. If several documents have
   * the same id, the directory's own description takes precedence, then the
   * first file by name.
   */
  #updateDocuments(): void {
    const documents: ServedDocument[] = [
      { summary: this.#directoryDocument.summary, file: undefined },
    ];
    const taken = new Map<string, string | undefined>([
      [DIRECTORY_ID, undefined],
    ]);
    for (const name of [...this.#files.keys()].sort()) {
      const { summary, file } = this.#files.get(name)!;
      if (summary === undefined) continue;
      if (taken.has(summary.id)) {
        if (file.path !== this.#directoryPath)
          this.#reports.duplicate(file, summary.id, taken.get(summary.id));
        continue;
      }
      taken.set(summary.id, name);
      documents.push({ summary, file: name });
    }
    documents.sort((a, b) => (a.summary.id < b.summary.id ? -1 : 1));
    this.#documents = new Map(
      documents.map((document) => [document.summary.id, document]),
    );
    this.onChange();
  }
}

/** Reads the summary of a file without checking it. */
function readSummary(
  file: DocumentFile,
  buffer: Buffer,
): DocumentSummary | undefined {
  try {
    const bytes = readFile(file.path, buffer);
    const document = bytes && viewOf(bytes);
    const kind = document?.at("kind")?.text() ?? REST_DESCRIPTION;
    return document === undefined || kind !== REST_DESCRIPTION
      ? undefined
      : summaryOf(document);
  } catch {
    // The complete check of the file reports this error.
    return undefined;
  }
}

function isSameSummary(
  a: DocumentSummary | undefined,
  b: DocumentSummary,
): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Maximum number of logged messages that are remembered to avoid duplicates.
 */
const MAX_REMEMBERED = 10_000;

/**
 * Log of problems with the files in a folder. Each problem is logged only once
 * for each version of a file.
 */
class DocumentReports {
  readonly #log: (line: LogLine) => void;
  readonly #logged = new Set<string>();

  constructor(log: (line: LogLine) => void) {
    this.#log = log;
  }

  /**
   * Logs a file that is ignored because another file, or the directory itself,
   * contains a document with the same id.
   */
  duplicate(file: DocumentFile, id: string, other: string | undefined): void {
    const owner = other ?? "the directory's own description";
    this.#logOnce(file.signature, {
      service: "directory",
      event: "document-twin",
      file: file.name,
      message: `${id} is already defined in ${owner}; ${file.name} is ignored`,
      fix: "Remove one of the files, or change the version in one of them.",
    });
  }

  /** Logs the errors of an invalid document. */
  invalid(
    file: DocumentFile,
    refusal: DocumentErrors,
    hasLastValid: boolean,
  ): void {
    const served = hasLastValid ? "the last valid version" : "nothing";
    for (const { code, message, line, column, pointer, cause, fix } of refusal)
      this.#logOnce(file.signature, {
        service: "directory",
        event: "document-refused",
        file: file.name,
        code,
        line,
        column,
        pointer,
        message,
        cause,
        fix,
        served,
      });
  }

  /** Logs files and folders that could not be read. */
  folderProblems({ problems }: FolderContent): void {
    for (const message of problems)
      this.#logOnce("", {
        service: "directory",
        event: "folder-fault",
        message,
      });
  }

  #logOnce(signature: string, line: LogLine): void {
    const text = JSON.stringify([signature, line]);
    if (this.#logged.has(text)) return;
    if (this.#logged.size > MAX_REMEMBERED) this.#logged.clear();
    this.#logged.add(text);
    this.#log(line);
  }
}
