import { entryOf, isNull, type Entry } from "../document/tree.js";
import type { RewriteSession } from "./rewrite-session.js";
import { formatScalar } from "./edits.js";

const MART_FILE = /-apigee-mart\.json/;

/**
 * Adds the service accounts for the Connect Agent, metrics and Watcher
 * components, because version 1.3 requires them.
 */
export function addServiceAccounts(session: RewriteSession): void {
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
