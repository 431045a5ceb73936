import type { LogLine } from "../service.js";
import type { DocumentErrors } from "./document-check.js";
import type { FolderContent, DocumentFile } from "./folder.js";

/**
 * Maximum number of logged messages that are remembered to avoid duplicates.
 */
const MAX_REMEMBERED = 10_000;

/**
 * Log of problems with the files in a folder. Each problem is logged only once
 * for each version of a file.
 */
export class DocumentReports {
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
