import { entryOf, isNothing, type Entry } from "../document/tree.js";
import type { Rewriting } from "./session.js";
import { scalarText } from "./format-scalar.js";

const MART_FILE = /-apigee-mart\.json/;

/** Gives connect agent, metrics and watcher the accounts that 1.3 wants. */
export function addAccounts(rewriting: Rewriting): void {
  const mart = accountOf(entryOf(rewriting.root, "mart"));
  addConnect(rewriting, mart);
  addFrom(
    rewriting,
    "metrics",
    rewriting.options.metricsAccount,
    "--metrics-account",
  );
  const { watcherAccount } = rewriting.options;
  const derived =
    watcherAccount === undefined ? watcherOf(rewriting, mart) : undefined;
  addFrom(rewriting, "watcher", watcherAccount, "--watcher-account", derived);
}

function accountOf(owner: Entry | undefined): Entry | undefined {
  const found = [
    "serviceAccountPath",
    "serviceAccountRef",
    "serviceAccountSecretRef",
  ]
    .map((key) => entryOf(owner?.value, key))
    .find((entry) => entry !== undefined && !isNothing(entry.value));
  return found;
}

function addConnect(rewriting: Rewriting, mart: Entry | undefined): void {
  const { root } = rewriting;
  const owner = entryOf(root, "connectAgent");
  if (accountOf(owner) !== undefined) return;
  if (mart === undefined)
    return rewriting.refuse(
      "mart has no service account that the connect agent could use",
    );
  const value = rewriting.source(mart.value.range);
  add(
    rewriting,
    owner,
    "connectAgent",
    mart.key,
    value,
    entryOf(root, "mart")!,
  );
}

function watcherOf(
  rewriting: Rewriting,
  mart: Entry | undefined,
): string | undefined {
  if (mart?.value.kind !== "scalar" || mart.key !== "serviceAccountPath")
    return undefined;
  const source = rewriting.source(mart.value.range);
  const isUsual = mart.value.text.endsWith("-apigee-mart.json");
  return isUsual
    ? source.replace(MART_FILE, "-apigee-watcher.json")
    : undefined;
}

function addFrom(
  rewriting: Rewriting,
  component: string,
  given: string | undefined,
  option: string,
  derived?: string,
): void {
  const { root } = rewriting;
  const owner = entryOf(root, component);
  if (accountOf(owner) !== undefined) return;
  const value = given === undefined ? derived : scalarText(given);
  if (value === undefined)
    return rewriting.refuse(
      `there is no service account for ${component}; give ${option}`,
    );
  add(
    rewriting,
    owner,
    component,
    "serviceAccountPath",
    value,
    root.entries.at(-1)!,
  );
}

function add(
  rewriting: Rewriting,
  owner: Entry | undefined,
  component: string,
  key: string,
  value: string,
  after: Entry,
): void {
  const at = owner ?? after;
  rewriting.noteChange(
    at.keyRange.start,
    `${component}.${key}`,
    "added",
    `${component}.${key}: ${value}`,
  );
  if (owner !== undefined) return rewriting.insertFirst(owner, key, value);
  rewriting.insertBlock(after, [
    `${component}:`,
    `${rewriting.layout.step}${key}: ${value}`,
  ]);
}
