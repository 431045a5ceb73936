import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { locate } from "../../diagnostics/locate.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import { loadBytes } from "../../load/load.js";
import {
  summaryOf,
  type DocumentSummary,
} from "../../site/document-summary.js";
import { MAX_FILE, readFile, type DocumentFile } from "./folder.js";
import { digestOf } from "./compressed-body.js";
import { viewOf } from "../../site/json-view.js";

const compress = promisify(gzip);

/** Valid document with its compressed bytes. */
export interface CheckedDocument {
  readonly summary: DocumentSummary;
  /** Digest of the bytes; see {@link digestOf}. */
  readonly digest: string;
  /**
   * Document bytes compressed with gzip. They are served even if the file
   * becomes invalid later.
   */
  readonly compressed: Buffer;
  readonly size: number;
}

/** Errors that prevent a document from being served. */
export type DocumentErrors = readonly Pick<
  Diagnostic,
  "code" | "message" | "line" | "column" | "pointer" | "cause" | "fix"
>[];

/** Reads and checks a file. Never throws. */
export async function checkFile(
  file: DocumentFile,
): Promise<CheckedDocument | DocumentErrors> {
  const bytes = readDocumentFile(file);
  if (!Buffer.isBuffer(bytes)) return bytes;
  const { document, sink, text } = loadBytes(bytes, file.name);
  if (document === undefined || sink.hasErrors) {
    const errors = sink.diagnostics.filter(
      ({ severity }) => severity === "error",
    );
    return text === undefined ? errors : locate(errors, text);
  }
  const view = viewOf(bytes);
  const summary = summaryOf(view);
  if (summary === undefined) return [invalidName()];
  // A JSON response must not have a byte order mark (RFC 8259 §8.1).
  return compressDocument(summary, bytes.subarray(view.start));
}

/** Compresses the bytes of a document. */
async function compressDocument(
  summary: DocumentSummary,
  bytes: Buffer,
): Promise<CheckedDocument> {
  const digest = digestOf(bytes);
  const compressed = await compress(bytes, { level: 6 });
  return { summary, digest, compressed, size: bytes.length };
}

function readDocumentFile(file: DocumentFile): Buffer | DocumentErrors {
  try {
    const bytes = readFile(file.path);
    if (bytes !== undefined) return bytes;
  } catch (error) {
    return [
      {
        code: "source-unreadable",
        message: `${file.name}: ${(error as NodeJS.ErrnoException).code ?? "the file can't be read"}`,
        cause:
          "The operating system does not allow this process to read the file.",
        fix: "Check that the service has permission to read it.",
      },
    ];
  }
  return [
    {
      code: "source-too-large",
      message: `${file.name} is larger than ${MAX_FILE} bytes`,
      cause: "The file is larger than any known API description.",
      fix: "Check that the file is an API description.",
    },
  ];
}

function invalidName(): DocumentErrors[number] {
  return {
    code: "directory-name",
    message: "the name or version can't be used in a path",
    pointer: "/name",
    cause: "The path of a document contains its name and version.",
    fix: "Use at most 128 characters: letters, digits and . _ ~ : - are allowed, and the first character must be a letter or digit.",
  };
}
