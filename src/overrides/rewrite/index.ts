import type { DetectedVersion } from "../detect-version.js";
import { encode } from "../document/source-text.js";
import { type Entry, entryOf, isNull } from "../document/tree.js";
import { propertyIndex } from "../schema/property-index.js";
import {
  checkFile,
  type CheckResult,
  resolveCheckOptions,
} from "../validate.js";
import { formatScalar } from "./edits.js";
import { moveFlatKeys, valueOfMovedKey } from "./flat-keys.js";
import { removeUnsupportedProperties } from "./removed-properties.js";
import {
  preserveAnchors,
  type RewriteOptions,
  type RewriteReport,
  RewriteSession,
} from "./rewrite-session.js";
import { updateVirtualHosts } from "./virtual-hosts.js";

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
  const target = propertyIndex().rules.defaultTarget;
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
    to: propertyIndex().rules.defaultTarget,
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

const MART_FILE = /-apigee-mart\.json/;

/**
 * Adds the service accounts for the Connect Agent, metrics and Watcher
 * components, because version 1.3 requires them.
 */
function addServiceAccounts(session: RewriteSession): void {
  const mart = serviceAccountEntry(entryOf(session.root, "mart"));
  addConnectAgentAccount(session, mart);
  addComponentAccount(
    session,
    "metrics",
    session.options.metricsAccount,
    "--metrics-account",
  );
  const { watcherAccount } = session.options;
  const derived =
    watcherAccount === undefined
      ? deriveWatcherAccount(session, mart)
      : undefined;
  addComponentAccount(
    session,
    "watcher",
    watcherAccount,
    "--watcher-account",
    derived,
  );
}

function serviceAccountEntry(owner: Entry | undefined): Entry | undefined {
  const found = [
    "serviceAccountPath",
    "serviceAccountRef",
    "serviceAccountSecretRef",
  ]
    .map((key) => entryOf(owner?.value, key))
    .find((entry) => entry !== undefined && !isNull(entry.value));
  return found;
}

function addConnectAgentAccount(
  session: RewriteSession,
  mart: Entry | undefined,
): void {
  const { root } = session;
  const owner = entryOf(root, "connectAgent");
  if (serviceAccountEntry(owner) !== undefined) return;
  if (mart === undefined)
    return session.addRefusal(
      "connectAgent requires the MART service account, but mart has no service account",
    );
  const value = session.source(mart.value.range);
  addAccount(
    session,
    owner,
    "connectAgent",
    mart.key,
    value,
    entryOf(root, "mart")!,
  );
}

function deriveWatcherAccount(
  session: RewriteSession,
  mart: Entry | undefined,
): string | undefined {
  if (mart?.value.kind !== "scalar" || mart.key !== "serviceAccountPath")
    return undefined;
  const source = session.source(mart.value.range);
  const isUsual = mart.value.text.endsWith("-apigee-mart.json");
  return isUsual
    ? source.replace(MART_FILE, "-apigee-watcher.json")
    : undefined;
}

function addComponentAccount(
  session: RewriteSession,
  component: string,
  given: string | undefined,
  option: string,
  derived?: string,
): void {
  const { root } = session;
  const owner = entryOf(root, component);
  if (serviceAccountEntry(owner) !== undefined) return;
  const value = given === undefined ? derived : formatScalar(given);
  if (value === undefined)
    return session.addRefusal(
      `${component} has no service account; pass ${option}`,
    );
  addAccount(
    session,
    owner,
    component,
    "serviceAccountPath",
    value,
    root.entries.at(-1)!,
  );
}

function addAccount(
  session: RewriteSession,
  owner: Entry | undefined,
  component: string,
  key: string,
  value: string,
  after: Entry,
): void {
  const at = owner ?? after;
  session.addChange(
    at.keyRange.start,
    `${component}.${key}`,
    "added",
    `${component}.${key}: ${value}`,
  );
  if (owner !== undefined) return session.insertFirstKey(owner, key, value);
  session.insertBlock(after, [
    `${component}:`,
    `${session.layout.step}${key}: ${value}`,
  ]);
}

const MAX_CHARACTERS = 63;

/**
 * Adds the key instanceID: the value of `--instance-id`, otherwise a value
 * derived from cluster name and region. The derived value is the same in every
 * rewrite of the file.
 */
function addInstanceId(session: RewriteSession): void {
  const { root, layout, options } = session;
  const present = entryOf(root, "instanceID");
  if (present !== undefined && !isNull(present.value)) {
    const current = present.value.kind === "scalar" ? present.value.text : "";
    if (options.instanceId !== undefined && options.instanceId !== current)
      session.addWarning("instanceID is already set and remains unchanged");
    return;
  }
  const after = entryOf(root, "org") ?? entryOf(root, "k8sCluster");
  const value = options.instanceId ?? deriveInstanceId(session);
  if (after === undefined || value === undefined)
    return session.addRefusal(
      "instanceID can't be derived without a cluster name; pass --instance-id",
    );
  if (present !== undefined)
    return session.edits.insert(
      layout.contentEnd(present),
      ` ${formatScalar(value)}`,
    );
  const indent = " ".repeat(layout.columnOf(after.keyRange.start));
  session.insertLines(layout.linesOf(after).end, [
    `${indent}instanceID: ${formatScalar(value)}`,
  ]);
  session.addChange(
    after.keyRange.start,
    "instanceID",
    "added",
    `instanceID: ${value}; never change it, and use it for all organizations in the cluster`,
  );
}

function deriveInstanceId(session: RewriteSession): string | undefined {
  const name = valueOfMovedKey(session, "k8sCluster", "name");
  const region =
    valueOfMovedKey(session, "k8sCluster", "region") ?? session.options.region;
  if (name === undefined) return undefined;
  const fullId = region === undefined ? name : `${name}-${region}`;
  let id = [...fullId].slice(0, MAX_CHARACTERS).join("");
  while (id.endsWith("-")) id = id.slice(0, -1);
  return id;
}
