import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { locate } from "../../diagnostics/locate.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import { loadBytes } from "../../load/load.js";
import { factsOf, type Facts } from "./document-summary.js";
import { MAX_FILE, readFile, type FoundFile } from "./folder.js";
import { digestOf } from "./stored.js";
import { viewOf } from "./json-view.js";

const compress = promisify(gzip);

/** A document that was looked over and is kept as it was then. */
export interface Admitted {
  readonly facts: Facts;
  /** Hash of the bytes, see {@link digestOf}. */
  readonly digest: string;
  /** The bytes, compressed: what callers get, and what is left when the file goes bad. */
  readonly packed: Buffer;
  readonly size: number;
}

/** Why a document is not served. */
export type Refusal = readonly Pick<
  Diagnostic,
  "code" | "message" | "line" | "column" | "pointer" | "cause" | "fix"
>[];

/** Reads and checks a file; never throws. */
export async function admit(file: FoundFile): Promise<Admitted | Refusal> {
  const bytes = readSafely(file);
  if (!Buffer.isBuffer(bytes)) return bytes;
  const { document, sink, text } = loadBytes(bytes, file.name);
  if (document === undefined || sink.hasErrors) {
    const errors = sink.diagnostics.filter(
      ({ severity }) => severity === "error",
    );
    return text === undefined ? errors : locate(errors, text);
  }
  const view = viewOf(bytes);
  const facts = factsOf(view);
  if (facts === undefined) return [badName()];
  // JSON on the wire must not have a byte order mark (RFC 8259 §8.1).
  return pack(facts, bytes.subarray(view.start));
}

/** Keeps the bytes of a document. */
async function pack(facts: Facts, bytes: Buffer): Promise<Admitted> {
  const digest = digestOf(bytes);
  const packed = await compress(bytes, { level: 6 });
  return { facts, digest, packed, size: bytes.length };
}

function readSafely(file: FoundFile): Buffer | Refusal {
  try {
    const bytes = readFile(file.path);
    if (bytes !== undefined) return bytes;
  } catch (error) {
    return [
      {
        code: "source-unreadable",
        message: `${file.name}: ${(error as NodeJS.ErrnoException).code ?? "it can't be read"}`,
        cause: "The operating system refused to read the file.",
        fix: "Check that the service may read it.",
      },
    ];
  }
  return [
    {
      code: "source-too-large",
      message: `${file.name} has more than ${MAX_FILE} bytes`,
      cause: "The file is larger than any real description document.",
      fix: "Check that the file is the right one.",
    },
  ];
}

function badName(): Refusal[number] {
  return {
    code: "directory-name",
    message: "name or version can't stand in a path",
    pointer: "/name",
    cause: "Callers ask for a document by its name and version.",
    fix: "Use letters, digits and . _ ~ : - only, 128 at most, a letter or digit first.",
  };
}
