import type { Code } from "../diagnostics/catalogue.js";
import { Sink } from "../diagnostics/sink.js";
import { documentDigest } from "../load/canonical.js";
import { checkShape } from "../load/check.js";
import type { RawDocument } from "../load/raw.js";
import { cutOff, survey } from "../load/survey.js";
import { applyOperation } from "./apply-operation.js";
import { Origins } from "./origins.js";
import { reportAt, type PatchFile } from "./patch-file.js";
import { OperationError, PatchSession } from "./patch-session.js";

/** Patched document, with a record of the values that the patches changed. */
export interface PatchedDocument {
  readonly document: RawDocument;
  readonly origins: Origins;
}

/**
 * Applies the patches of a document to a copy of the document. Reports
 * operations that do not match the document, with their positions in the patch
 * files.
 */
export function applyPatches(
  document: RawDocument,
  patches: readonly PatchFile[],
  sink: Sink,
): PatchedDocument {
  const id = `${document.name}:${document.version}`;
  const own = patches.filter(({ api }) => api === id);
  if (own.length === 0) return { document, origins: new Origins() };
  const session = new PatchSession(structuredClone(document), sink);
  for (const patch of own) {
    checkDocument(patch, document, sink);
    applyFile(patch, session);
  }
  return finish(session);
}

/**
 * Reports a document whose revision or digest differs from that of the document
 * for which the patch was written.
 */
function checkDocument(
  { revision, digest, ...patch }: PatchFile,
  document: RawDocument,
  sink: Sink,
): void {
  if (digest !== undefined && digest !== documentDigest(document))
    reportAt(
      sink,
      "patch-stale",
      `the document must have the digest ${digest}, found ${documentDigest(document)}`,
      patch,
    );
  if (revision !== undefined && revision !== document.revision)
    reportAt(
      sink,
      "patch-revision",
      `the patch was written for revision ${revision}, found ${document.revision ?? "a document without a revision"}`,
      patch,
    );
}

function applyFile(
  { file, operations }: PatchFile,
  session: PatchSession,
): void {
  for (const operation of operations) {
    const { line, column } = operation;
    const by = { file, line, column };
    try {
      applyOperation(operation, session, by);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      session.report(error, operation, by);
    }
  }
}

/** Checks the patched document, because a patch can add invalid values. */
function finish({ document, sink, origins }: PatchSession): PatchedDocument {
  const found = new Sink();
  const root = document as object as Readonly<Record<string, unknown>>;
  cutOff(root, survey(root).depth);
  checkShape(root, found);
  for (const finding of found.diagnostics) {
    const { message, pointer = "", severity } = finding;
    const { file, line = 1, column = 1 } = origins.relocate(finding);
    const by =
      file === undefined ? origins.lastBelow(pointer) : { file, line, column };
    const code =
      severity === "error" ? "patch-invalid" : (finding.code as Code);
    if (by === undefined) sink.report(code, message, pointer);
    else reportAt(sink, code, message, by, { pointer });
  }
  return { document, origins };
}
