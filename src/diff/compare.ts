import {
  locate,
  locatePointers,
  type TextPosition,
} from "../diagnostics/locate.js";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { loadBytes, readBytes, type Loaded } from "../load/load.js";
import type { RawDocument } from "../load/raw.js";
import type { Source } from "../load/sources.js";
import {
  listOperand,
  type ListedOperand,
  type OperandResolver,
  type OperandSources,
} from "./operands.js";
import { diffDocuments, diffMissing } from "./diff-documents.js";

import type { IgnoreList } from "./ignore.js";
import type { DiffPolicy } from "./policy.js";
import type { DetailedChange, DiffOptions, DiffResult } from "./severity.js";

export interface ComparedDocument {
  /**
   * Path of the document in reports: relative to the working directory, or as the
   * user typed it.
   */
  readonly file: string;
  readonly text: string;
  readonly document: RawDocument;
}

/** Change with its position in a file. */
export interface LocatedChange extends DetailedChange {
  readonly file: string;
  readonly position?: TextPosition | undefined;
  /**
   * Position in the new document. For a removed object, the position of the
   * object that contained it. Absent if the API was removed.
   */
  readonly newPosition?: TextPosition | undefined;
}

/** Changes to an API, with positions. */
export interface Comparison {
  readonly result: DiffResult<LocatedChange>;
  readonly old?: ComparedDocument | undefined;
  readonly new?: ComparedDocument | undefined;
}

/** Changes to all APIs between the operands OLD and NEW of `gen diff`. */
export interface Comparisons {
  readonly comparisons: readonly Comparison[];
  /** True if an operand is a folder, or consists of several documents. */
  readonly isSet: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Function that returns an edited copy of a document. On failure, reports an
 * error and returns undefined.
 * @param name path of the document in messages
 */
export type EditDocument = (
  document: RawDocument,
  name: string,
  sink: Sink,
) => RawDocument | undefined;

/**
 * Function that returns edited copies of both documents of an API, or undefined
 * to compare them unchanged.
 */
export type EditPair = (
  old: RawDocument,
  now: RawDocument,
) => readonly [old: RawDocument, now: RawDocument] | undefined;

/** Options of `compareOperands`. */
export interface CompareOptions extends DiffOptions {
  readonly cwd: string;
  readonly ignore?: IgnoreList | undefined;
  readonly policy?: DiffPolicy | undefined;
  /**
   * Edits each document before the comparison, for example by applying patches.
   */
  readonly edit?: EditDocument | undefined;
  /** Edits both documents of an API, or neither. */
  readonly editPair?: EditPair | undefined;
  /** Resolvers for operands that are neither paths nor Git revisions. */
  readonly resolvers?: readonly OperandResolver[] | undefined;
}

/**
 * Compares the documents of two operands. Two files are always compared with
 * each other; documents in folders are matched by API id.
 */
export async function compareOperands(
  old: string,
  now: string,
  options: CompareOptions,
): Promise<Comparisons> {
  const { cwd, resolvers } = options;
  return compareListed(
    await listOperand(old, cwd, resolvers),
    await listOperand(now, cwd, resolvers),
    options,
  );
}

/** Compares the documents that two operands refer to. */
export function compareListed(
  before: ListedOperand,
  after: ListedOperand,
  options: Omit<CompareOptions, "cwd" | "resolvers">,
): Comparisons {
  const { ignore, policy, edit } = options;
  const diagnostics = [...before.diagnostics, ...after.diagnostics];
  const isSet = before.isSet || after.isSet;
  if (diagnostics.some(({ severity }) => severity === "error"))
    return { comparisons: [], isSet, diagnostics };
  const loaded: LoadedBytes = new Map();
  const inputs = {
    old: readInputs(before, edit, loaded, diagnostics),
    new: readInputs(after, edit, loaded, diagnostics),
  };
  const pairs: readonly InputPair[] = isSet
    ? matchApis(inputs.old, inputs.new)
    : [{ old: inputs.old[0], new: inputs.new[0] }];
  const hasFailed = diagnostics.some(({ severity }) => severity === "error");
  const comparisons = pairs
    // An unreadable document does not mean that its API was removed.
    .filter(
      (pair) =>
        !hasFailed || (pair.old !== undefined && pair.new !== undefined),
    )
    .map((pair) => {
      const { old, new: now } = editedPair(pair, options.editPair);
      return compareInputs(old, now, options);
    });
  if (ignore !== undefined) diagnostics.push(...ignore.diagnostics());
  if (policy !== undefined) diagnostics.push(...policy.diagnostics());
  return { comparisons, isSet, diagnostics };
}

/** Returns a pair with edited documents, if both can be edited. */
function editedPair(
  { old, new: now }: InputPair,
  editPair: EditPair | undefined,
): InputPair {
  if (old === undefined || now === undefined) return { old, new: now };
  if (old.document === now.document) return { old, new: now };
  const edited = editPair?.(old.document, now.document);
  if (edited === undefined) return { old, new: now };
  const [before, after] = edited;
  return {
    old: { ...old, document: before },
    new: { ...now, document: after },
  };
}

/** Documents of an API in both operands. */
interface InputPair {
  readonly old: ComparedDocument | undefined;
  readonly new: ComparedDocument | undefined;
}

/**
 * Compares two versions of an API's document; one is absent if the API was
 * added or removed.
 */
export function compareInputs(
  old: ComparedDocument | undefined,
  now: ComparedDocument | undefined,
  options: Pick<CompareOptions, "ignore" | "policy" | keyof DiffOptions>,
): Comparison {
  const full =
    old === undefined || now === undefined
      ? diffMissing(old?.document, now?.document)
      : diffDocuments(old.document, now.document, options);
  const listed = options.ignore?.apply(full) ?? full;
  const result = options.policy?.apply(listed) ?? listed;
  const { changes } = result;
  const [inOld, inNew] = [old, now].map((input) =>
    input === undefined
      ? new Map<string, TextPosition>()
      : locatePointers(
          input.text,
          changes.map(({ pointer }) => pointer),
        ),
  );
  const located = changes.map((change): LocatedChange => ({
    ...change,
    file: (change.side === "old" ? old : now)!.file,
    position: (change.side === "old" ? inOld : inNew)!.get(change.pointer),
    newPosition: inNew!.get(change.pointer),
  }));
  return { result: { ...result, changes: located }, old, new: now };
}

/**
 * Reads the documents of an operand. Reports documents that are unusable, or
 * that describe the same API as another document.
 */
export function readInputs(
  { sources, isSet }: OperandSources,
  edit: EditDocument | undefined,
  known: LoadedBytes,
  diagnostics: Diagnostic[],
): ComparedDocument[] {
  const files = new Map<string, string>();
  return sources.flatMap((source) => {
    const loaded = loadOnce(source, known);
    const { text, sink } = loaded;
    const document =
      edit === undefined || loaded.document === undefined || sink.hasErrors
        ? loaded.document
        : edit(loaded.document, source.name, sink);
    if (document !== undefined && isSet) {
      const id = idOf(document);
      const other = files.get(id);
      if (other !== undefined)
        sink.report(
          "api-duplicate",
          `the API ${id} is also described in ${other}`,
          "/name",
        );
      files.set(id, source.name);
    }
    diagnostics.push(...errorsOf(loaded));
    return text === undefined || document === undefined
      ? []
      : [{ file: source.name, text, document }];
  });
}

/** Documents that were loaded, keyed by their bytes. */
type LoadedBytes = Map<Buffer, Loaded>;

/**
 * Loads a document. Documents with the same bytes, such as those that did not
 * change since a revision, are loaded once.
 */
function loadOnce(source: Source, known: LoadedBytes): Loaded {
  const sink = new Sink(source.name);
  const bytes = readBytes(source, sink);
  if (bytes === undefined) return { sink };
  const found = known.get(bytes);
  if (found !== undefined && !found.sink.hasErrors) return { ...found, sink };
  const loaded = loadBytes(bytes, source.name, sink);
  known.set(bytes, loaded);
  return loaded;
}

function errorsOf({ sink, text }: Loaded): readonly Diagnostic[] {
  const errors = sink.diagnostics.filter(
    ({ severity }) => severity === "error",
  );
  return text === undefined ? errors : locate(errors, text);
}

function idOf({ name, version }: RawDocument): string {
  return `${name}:${version}`;
}

/** Pairs documents that have the same API id. */
function matchApis(
  old: readonly ComparedDocument[],
  now: readonly ComparedDocument[],
): InputPair[] {
  const [before, after] = [old, now].map(
    (inputs) => new Map(inputs.map((input) => [idOf(input.document), input])),
  );
  const ids = new Set([...before!.keys(), ...after!.keys()]);
  return [...ids].sort().map((id) => ({
    old: before!.get(id),
    new: after!.get(id),
  }));
}
