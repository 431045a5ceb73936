import { encode } from "../document/source-text.js";
import type { Detected } from "../detect-version.js";
import { knowledge } from "../schema/property-index.js";
import { checkFile, checkOptions, type Checked } from "../validate.js";
import { addAccounts } from "./service-accounts.js";
import { keepAnchors } from "./anchors.js";
import { moveFlatKeys } from "./flat-keys.js";
import { adjustHosts } from "./virtual-hosts.js";
import { addIdentity } from "./instance-id.js";
import { removeGone } from "./removed-properties.js";
import type { RewriteReport } from "./report.js";
import { Rewriting, type RewriteOptions } from "./session.js";

/** What came of rewriting a file. */
export interface Rewritten {
  readonly report: RewriteReport;
  /** The file as it was. */
  readonly before: string;
  /** The file as it should be; the same text where nothing had to be done, or nothing could. */
  readonly after: string;
  /** `after`, as bytes. */
  readonly bytes: Buffer;
  readonly isRefused: boolean;
  readonly isReadable: boolean;
}

const HAS_MARK = [0xef, 0xbb, 0xbf];

/** Rewrites a 1.2 file for 1.3; a file that is one already stays as it is. */
export function rewriteFile(
  file: string,
  bytes: Uint8Array,
  options: RewriteOptions,
): Rewritten {
  const checked = checkFile(file, bytes, checkOptions("1.2"));
  const hasMark = HAS_MARK.every((byte, index) => bytes[index] === byte);
  const refusal = refusalOf(checked);
  if (refusal !== undefined) return refused(checked, [refusal], bytes);
  const rewriting = new Rewriting(checked, checked.root!, options);
  moveFlatKeys(rewriting);
  addIdentity(rewriting);
  adjustHosts(rewriting);
  removeGone(rewriting);
  addAccounts(rewriting);
  keepAnchors(rewriting, checked.names ?? []);
  return finish(checked, rewriting, bytes, hasMark);
}

function finish(
  checked: Checked,
  rewriting: Rewriting,
  bytes: Uint8Array,
  hasMark: boolean,
): Rewritten {
  const before = checked.lines.text;
  if (rewriting.refusals.length > 0)
    return refused(
      checked,
      [...rewriting.refusals, ...errorsOf(checked)],
      bytes,
    );
  const after = rewriting.edits.apply();
  const output = encode(after, hasMark);
  const mistakes = mistakesIn(checked.file, output);
  if (mistakes.length > 0 && after !== before)
    return refused(checked, mistakes, bytes);
  const { changes, instructions, comments, warnings } = rewriting;
  const report = {
    ...reportOf(checked),
    changes: [...changes].sort((a, b) => a.line - b.line),
    instructions,
    comments,
    warnings: [...warnings, ...mistakes.map((text) => `not mended: ${text}`)],
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

/** Errors that are left; the rewriter changes nothing that it does not understand. */
function mistakesIn(file: string, bytes: Uint8Array): string[] {
  const target = knowledge().table.defaultTarget;
  const { diagnostics } = checkFile(
    file,
    bytes,
    checkOptions(target, { mode: "demo" }),
  );
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(
      ({ code, path, message }) =>
        `${code}${path === "" ? "" : ` at ${path}`}: ${message}`,
    );
}

/** What was wrong before; said together with what stops the rewriting. */
function errorsOf({ diagnostics }: Checked): string[] {
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ line, message }) => `line ${line}: ${message}`);
}

/** Why a file is not rewritten at all. */
function refusalOf(checked: Checked): string | undefined {
  const { root, diagnostics, findings, detected, lines } = checked;
  const stop = root === undefined ? diagnostics[0] : undefined;
  if (stop !== undefined) return `line ${stop.line}: ${stop.message}`;
  if (root!.isFlow)
    return "the file is written in braces; write it as a block of lines first";
  const twice = findings.find(({ code }) => code === "S05" || code === "X12");
  if (checked.shown.some(({ code }) => code === "S12"))
    return "the file has more findings than are shown";
  if (twice !== undefined)
    return `line ${lines.positionOf(twice.offset).line}: ${twice.message}`;
  return wrongVersion(detected);
}

function wrongVersion({ version, why }: Detected): string | undefined {
  if (version === "1.2" || version === "1.3") return undefined;
  if (version === "1.0" || version === "1.1")
    return `the file looks like ${version} (${why}); upgrade to 1.2 first`;
  if (version === "unknown") return `nothing tells the file's version: ${why}`;
  return `the file looks like ${version} (${why}), which is no 1.2 file`;
}

function reportOf({ file, detected }: Checked): RewriteReport {
  return {
    file,
    from: detected.version,
    to: knowledge().table.defaultTarget,
    changes: [],
    instructions: [],
    comments: [],
    warnings: [],
    refusals: [],
  };
}

function refused(
  checked: Checked,
  refusals: readonly string[],
  bytes: Uint8Array,
): Rewritten {
  const { text } = checked.lines;
  return {
    report: { ...reportOf(checked), refusals },
    before: text,
    after: text,
    bytes: Buffer.from(bytes),
    isRefused: true,
    isReadable: checked.isReadable,
  };
}
