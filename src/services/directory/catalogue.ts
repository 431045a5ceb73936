import { readFileSync } from "node:fs";
import path from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { REST_DESCRIPTION } from "../../load/kind.js";
import type { LogLine } from "../service.js";
import { admit, type Admitted, type Refusal } from "./document-check.js";
import { ByteCache } from "./byte-cache.js";
import { factsOf, type Facts } from "./document-summary.js";
import {
  listFolder,
  MAX_FILE,
  readFile,
  type FolderContent,
  type FoundFile,
} from "./folder.js";
import { viewOf } from "./json-view.js";
import { specsFolder } from "./package-folder.js";
import { Reports } from "./reports.js";
import { StoredBody } from "./compressed-body.js";

const expand = promisify(gunzip);

/** Bytes of documents kept beside their compressed form. */
const OPEN_BYTES = 8 * 1024 * 1024;

/** What is known of a file. */
interface FileState {
  readonly file: FoundFile;
  /** From a look at the top, or from the check; absent where the file is no good. */
  readonly facts: Facts | undefined;
  /** The last good version; absent until the check was made. */
  readonly good: Admitted | undefined;
  /** The check of the file as it is now, once made or under way. */
  readonly check: Promise<void> | undefined;
}

/** A document that is served: the file it is in, or the directory's own. */
interface Row {
  readonly facts: Facts;
  readonly file: string | undefined;
}

/** The id of the description of the directory itself. */
export const OWN_ID = "discovery:v1";

/**
 * The documents of a folder. They are listed after a look at their top members,
 * which takes milliseconds; the check follows, one document at a time, or when
 * a document is asked for. A document that fails it is reported and left out; a
 * file that goes bad later is served as it was when it was good.
 */
export class Catalogue {
  readonly #folder: string;
  readonly #reports: Reports;
  readonly #ownPath: string;
  readonly #files = new Map<string, FileState>();
  readonly #own: { readonly facts: Facts; readonly bytes: Buffer };
  readonly #open = new ByteCache<Buffer>(OPEN_BYTES);
  #rows = new Map<string, Row>();
  #isClosed = false;
  #checking: Promise<void> = Promise.resolve();
  /** Called when what is served has changed. */
  onChange: () => void = () => {};

  constructor(folder: string, log: (line: LogLine) => void) {
    this.#folder = folder;
    this.#reports = new Reports(log);
    this.#ownPath = path.join(specsFolder(), "discovery.v1.json");
    const bytes = readFileSync(this.#ownPath);
    const facts = factsOf(viewOf(bytes));
    if (facts === undefined) throw new Error("the package is damaged");
    this.#own = { facts, bytes };
  }

  /** Looks at all files; returns what was found, so that it can be watched. */
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
        facts: glance(file, buffer),
        good: undefined,
        check: undefined,
      });
    this.#reports.faults(content);
    this.#arrange();
    return content;
  }

  /** Finds what has changed, and checks it. */
  rescan(): FolderContent {
    const content = listFolder(this.#folder);
    this.#reports.faults(content);
    if (!content.isThere) return content;
    const names = new Set(content.files.map(({ name }) => name));
    let isChanged = false;
    for (const name of this.#files.keys())
      if (!names.has(name)) isChanged = this.#files.delete(name) || isChanged;
    for (const file of content.files) {
      const known = this.#files.get(file.name);
      if (known?.file.signature === file.signature) continue;
      const { facts, good } = known ?? {};
      // Without a good version there is nothing to serve until the check is made.
      const shown = good === undefined ? undefined : facts;
      this.#put({ file, facts: shown, good, check: undefined });
      isChanged = true;
    }
    if (isChanged) this.#arrange();
    void this.checkAll();
    return content;
  }

  /** Checks what was not checked yet, with pauses for requests. Never rejects. */
  checkAll(): Promise<void> {
    this.#checking = this.#checking.then(async () => {
      for (const name of this.#files.keys()) {
        if (this.#isClosed) return;
        if (this.#files.get(name)?.check !== undefined) continue;
        await this.#check(name);
        await breathe();
      }
    });
    return this.#checking;
  }

  /** Facts of all documents, by name and in the order of their ids. */
  get facts(): readonly Facts[] {
    return [...this.#rows.values()].map(({ facts }) => facts);
  }

  /** Facts of one document. */
  find(id: string): Facts | undefined {
    return this.#rows.get(id)?.facts;
  }

  /** A document as it lies in the file; undefined where there is none. */
  async read(id: string): Promise<Buffer | StoredBody | undefined> {
    const row = this.#rows.get(id);
    if (row === undefined) return undefined;
    if (row.file === undefined) return this.#own.bytes;
    if (this.#files.get(row.file)?.good === undefined)
      await this.#check(row.file);
    const good = this.#files.get(row.file)?.good;
    // The check may have shown that the file is another document, or none.
    if (good === undefined || good.facts.id !== id) return undefined;
    return new StoredBody(good, () => this.#bytesOf(good));
  }

  close(): void {
    this.#isClosed = true;
    this.onChange = () => {};
  }

  async #bytesOf({ digest, packed, size }: Admitted): Promise<Buffer> {
    const known = this.#open.get(digest);
    if (known !== undefined) return known;
    // One piece of the right size: nothing is put together from smaller ones.
    const chunkSize = Math.max(size + 1, 64);
    const bytes = await expand(packed, {
      chunkSize,
      maxOutputLength: chunkSize,
    });
    this.#open.set(digest, bytes, bytes.length);
    return bytes;
  }

  #put(state: FileState): void {
    this.#files.set(state.file.name, state);
  }

  /** Checks a file as it is now; twice at once is once. */
  #check(name: string): Promise<void> {
    const state = this.#files.get(name);
    if (state === undefined) return Promise.resolve();
    if (state.check !== undefined) return state.check;
    const check = admit(state.file).then((found) =>
      this.#settle(state.file, found),
    );
    this.#put({ ...state, check });
    return check;
  }

  #settle(file: FoundFile, found: Admitted | Refusal): void {
    const state = this.#files.get(file.name);
    // Changed or gone meanwhile: the next check is on its way.
    if (state?.file !== file || this.#isClosed) return;
    if ("packed" in found) {
      const isSame = sameFacts(state.facts, found.facts);
      const hadBytes = state.good !== undefined;
      this.#put({ ...state, facts: found.facts, good: found });
      if (isSame && !hadBytes) return;
    } else {
      this.#reports.refused(file, found, state.good !== undefined);
      if (state.good !== undefined) return;
      this.#put({ ...state, facts: undefined });
    }
    this.#arrange();
  }

  /** What is served under which id: the directory's own, then files by name. */
  #arrange(): void {
    const rows: Row[] = [{ facts: this.#own.facts, file: undefined }];
    const taken = new Map<string, string | undefined>([[OWN_ID, undefined]]);
    for (const name of [...this.#files.keys()].sort()) {
      const { facts, file } = this.#files.get(name)!;
      if (facts === undefined) continue;
      if (taken.has(facts.id)) {
        if (file.path !== this.#ownPath)
          this.#reports.twin(file, facts.id, taken.get(facts.id));
        continue;
      }
      taken.set(facts.id, name);
      rows.push({ facts, file: name });
    }
    rows.sort((a, b) => (a.facts.id < b.facts.id ? -1 : 1));
    this.#rows = new Map(rows.map((row) => [row.facts.id, row]));
    this.onChange();
  }
}

/** The facts of a file that nobody has checked yet. */
function glance(file: FoundFile, buffer: Buffer): Facts | undefined {
  try {
    const bytes = readFile(file.path, buffer);
    const document = bytes && viewOf(bytes);
    const kind = document?.at("kind")?.text() ?? REST_DESCRIPTION;
    return document === undefined || kind !== REST_DESCRIPTION
      ? undefined
      : factsOf(document);
  } catch {
    // The check says why.
    return undefined;
  }
}

function sameFacts(a: Facts | undefined, b: Facts): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
