import { encode } from "../document/source-text.js";
import type { DetectedVersion } from "../detect-version.js";
import { propertyIndex } from "../schema/property-index.js";
import {
  checkFile,
  resolveCheckOptions,
  type CheckResult,
} from "../validate.js";
import { addServiceAccounts } from "./service-accounts.js";
import {
  preserveAnchors,
  type RewriteReport,
  RewriteSession,
  type RewriteOptions,
} from "./rewrite-session.js";
import { moveFlatKeys } from "./flat-keys.js";
import { updateVirtualHosts } from "./virtual-hosts.js";
import { addInstanceId } from "./instance-id.js";
import { removeUnsupportedProperties } from "./removed-properties.js";

/** Result of rewriting a file. */
export interface RewriteResult {
  readonly report: RewriteReport;
  /** Text before the rewrite. */
  readonly before: string;
  /**
   * Text after the rewrite; equal to `before` if nothing changed or the rewrite
   * was refused.
   */
  readonly after: string;
  /** Rewritten text as bytes. */
  readonly bytes: Buffer;
  readonly isRefused: boolean;
  readonly isReadable: boolean;
}

const BOM_BYTES = [0xef, 0xbb, 0xbf];

/**
 * Rewrites a 1.2 overrides file for version 1.3. Does not change a 1.3 file.
 */
export function rewriteFile(
  file: string,
  bytes: Uint8Array,
  options: RewriteOptions,
): RewriteResult {
  const checked = checkFile(file, bytes, resolveCheckOptions("1.2"));
  const hasBom = BOM_BYTES.every((byte, index) => bytes[index] === byte);
  const refusal = refusalReason(checked);
  if (refusal !== undefined) return refusedResult(checked, [refusal], bytes);
  const session = new RewriteSession(checked, checked.root!, options);
  moveFlatKeys(session);
  addInstanceId(session);
  updateVirtualHosts(session);
  removeUnsupportedProperties(session);
  addServiceAccounts(session);
  preserveAnchors(session, checked.anchors ?? []);
  return finishRewrite(checked, session, bytes, hasBom);
}

function finishRewrite(
  checked: CheckResult,
  session: RewriteSession,
  bytes: Uint8Array,
  hasBom: boolean,
): RewriteResult {
  const before = checked.lines.text;
  if (session.refusals.length > 0)
    return refusedResult(
      checked,
      [...session.refusals, ...originalErrors(checked)],
      bytes,
    );
  const after = session.edits.apply();
  const output = encode(after, hasBom);
  const errors = remainingErrors(checked.file, output);
  if (errors.length > 0 && after !== before)
    return refusedResult(checked, errors, bytes);
  const { changes, instructions, comments, warnings } = session;
  const report = {
    ...emptyReport(checked),
    changes: [...changes].sort((a, b) => a.line - b.line),
    instructions,
    comments,
    warnings: [...warnings, ...errors.map((text) => `not fixed: ${text}`)],
  };
  return {
    report,
    before,
    after,
    bytes: output,
    isRefused: false,
    isReadable: true,
  };
}

/**
 * Returns the errors in the rewritten file. Errors can remain, because unknown
 * keys are not changed.
 */
function remainingErrors(file: string, bytes: Uint8Array): string[] {
  const target = propertyIndex().table.defaultTarget;
  const { diagnostics } = checkFile(
    file,
    bytes,
    resolveCheckOptions(target, { mode: "demo" }),
  );
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(
      ({ code, path, message }) =>
        `${code}${path === "" ? "" : ` at ${path}`}: ${message}`,
    );
}

/**
 * Returns the errors in the original file, which are reported if the rewrite is
 * refused.
 */
function originalErrors({ diagnostics }: CheckResult): string[] {
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ line, message }) => `line ${line}: ${message}`);
}

/**
 * Returns the reason why a file can't be rewritten; undefined if it can be
 * rewritten.
 */
function refusalReason(checked: CheckResult): string | undefined {
  const { root, diagnostics, findings, detected, lines } = checked;
  const problem = root === undefined ? diagnostics[0] : undefined;
  if (problem !== undefined) return `line ${problem.line}: ${problem.message}`;
  if (root!.isFlow)
    return "the file is in flow style; write it in block style first";
  const conflict = findings.find(
    ({ code }) => code === "S05" || code === "X12",
  );
  if (checked.shownFindings.some(({ code }) => code === "S12"))
    return "the file has more than 1,000 findings; fix the errors that `gen overrides validate` reports first";
  if (conflict !== undefined)
    return `line ${lines.positionOf(conflict.offset).line}: ${conflict.message}`;
  return versionProblem(detected);
}

function versionProblem({
  version,
  evidence,
}: DetectedVersion): string | undefined {
  if (version === "1.2" || version === "1.3") return undefined;
  if (version === "1.0" || version === "1.1")
    return `the file appears to be for version ${version} (${evidence}); upgrade to version 1.2 first`;
  if (version === "unknown")
    return `the runtime version of the file is unknown: ${evidence}`;
  return `the file must be for version 1.2; it appears to be for version ${version} (${evidence})`;
}

function emptyReport({ file, detected }: CheckResult): RewriteReport {
  return {
    file,
    from: detected.version,
    to: propertyIndex().table.defaultTarget,
    changes: [],
    instructions: [],
    comments: [],
    warnings: [],
    refusals: [],
  };
}

function refusedResult(
  checked: CheckResult,
  refusals: readonly string[],
  bytes: Uint8Array,
): RewriteResult {
  const { text } = checked.lines;
  return {
    report: { ...emptyReport(checked), refusals },
    before: text,
    after: text,
    bytes: Buffer.from(bytes),
    isRefused: true,
    isReadable: checked.isReadable,
  };
}
