import type { LogLine } from "../service.js";
import type { Refusal } from "./document-check.js";
import type { FolderContent, FoundFile } from "./folder.js";

/** Reports that are remembered, so that they are not made again. */
const MAX_SAID = 10_000;

/** Tells the log what is wrong with a folder, once for each state of a file. */
export class Reports {
  readonly #log: (line: LogLine) => void;
  readonly #said = new Set<string>();

  constructor(log: (line: LogLine) => void) {
    this.#log = log;
  }

  /** A file holds a document that another one holds, or the directory itself. */
  twin(file: FoundFile, id: string, other: string | undefined): void {
    const owner = other ?? "the directory's own description";
    this.#say(file.signature, {
      service: "directory",
      event: "document-twin",
      file: file.name,
      message: `${id} is ${owner} already, ${file.name} is left out`,
      fix: "Remove one of the two, or give it another version.",
    });
  }

  /** A file is no document that can be served. */
  refused(file: FoundFile, refusal: Refusal, isKept: boolean): void {
    const served = isKept ? "the version before it" : "nothing";
    for (const { code, message, line, column, pointer, cause, fix } of refusal)
      this.#say(file.signature, {
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

  /** Places of a folder could not be looked at. */
  faults({ faults }: FolderContent): void {
    for (const message of faults)
      this.#say("", { service: "directory", event: "folder-fault", message });
  }

  #say(signature: string, line: LogLine): void {
    const text = JSON.stringify([signature, line]);
    if (this.#said.has(text)) return;
    if (this.#said.size > MAX_SAID) this.#said.clear();
    this.#said.add(text);
    this.#log(line);
  }
}
