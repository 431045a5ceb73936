import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { readBytes } from "../load/load.js";
import { decodeText } from "../load/parse.js";
import type { Source } from "../load/sources.js";
import type { PreparedGroup } from "../write/prepare-group.js";
import type { ApiSettings } from "./api-settings.js";
import { reportFailure } from "./failures.js";
import {
  generateApi,
  type ApiOutput,
  type GenerateContext,
} from "./generate-api.js";
import { inputsHash } from "./inputs-hash.js";
import { timed } from "./timings.js";
import type { OutputFile } from "../platform/output-file.js";

/**
 * Size in bytes at and above which the output of a document is generated with
 * less memory, but takes more time.
 */
export const LARGE_DOCUMENT: number = 1 << 22;

/**
 * Result of generating the output of a document. Workers send it to the main
 * thread.
 */
export interface GeneratedDocument {
  /**
   * Hash of the inputs of the generation; empty if the document can't be read.
   */
  readonly inputs: string;
  /** Names of the generated targets. */
  readonly targets: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Prepared output files; absent if the document has no output. */
  readonly prepared?: PreparedGroup | undefined;
  /** Hash of the formatter settings that apply to the files. */
  readonly style?: string | undefined;
  /** File system error that occurred while the files were prepared. */
  readonly failure?: string;
}

/** Settings for generating the output of documents in one thread. */
export interface DocumentContext extends GenerateContext {
  /**
   * Hash of the generator and its options. It is part of the hash of each
   * document's inputs.
   */
  readonly hashSeed: string;
  /**
   * Compares generated files with the existing output and prepares the changes.
   */
  prepare(files: readonly OutputFile[]): PreparedGroup | undefined;
}

/**
 * Generates the output of a document and prepares its files. Never throws. The
 * bytes of the document are used only until the next file is read, because all
 * files are read into the same buffer.
 * @param bytes content, if it was already read
 */
export async function generateDocument(
  source: Source,
  settings: ApiSettings,
  context: DocumentContext,
  bytes?: Buffer,
): Promise<GeneratedDocument> {
  const sink = new Sink(source.name);
  const started = startDocument(source, settings, context, sink, bytes);
  if (started === undefined)
    return { inputs: "", targets: [], diagnostics: sink.diagnostics };
  const { inputs } = started;
  const { files, targets, diagnostics } = await started.output;
  try {
    if (files === undefined) return { inputs, targets, diagnostics };
    const paths = files.map(({ path }) => path);
    const style = await context.formatter?.styleOf(paths);
    const prepared = context.prepare(files);
    return { inputs, targets, diagnostics, style, prepared };
  } catch (error) {
    const failed = { inputs, targets, diagnostics };
    if (error instanceof Error && "syscall" in error)
      return { ...failed, failure: error.message };
    reportFailure(error, sink);
    return { ...failed, diagnostics: [...diagnostics, ...sink.diagnostics] };
  }
}

/** Document whose output is being generated. */
interface StartedDocument {
  readonly inputs: string;
  readonly output: Promise<ApiOutput>;
}

/**
 * Reads a document and starts to generate its output. Returns undefined if the
 * document can't be read.
 */
function startDocument(
  source: Source,
  settings: ApiSettings,
  context: DocumentContext,
  sink: Sink,
  bytes: Buffer | undefined,
): StartedDocument | undefined {
  const content =
    bytes ??
    timed(context.timings, "read", () => readBytes(source, sink, true));
  if (content === undefined) return undefined;
  const hashed = (value: Buffer): string =>
    inputsHash(context.hashSeed, settings, value);
  const inputs = hashed(content);
  const reread =
    content.length < LARGE_DOCUMENT || source.path === undefined
      ? undefined
      : () => textOf(source, (value) => hashed(value) === inputs);
  return {
    inputs,
    output: generateApi(content, source.name, settings, context, reread),
  };
}

/**
 * Reads the text of a document again. Returns undefined if it can't be read or
 * has changed.
 */
function textOf(
  source: Source,
  isSame: (bytes: Buffer) => boolean,
): string | undefined {
  const bytes = readBytes(source, new Sink(source.name));
  return bytes !== undefined && isSame(bytes) ? decodeText(bytes) : undefined;
}
