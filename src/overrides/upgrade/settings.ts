import { readFileSync } from "node:fs";
import path from "node:path";
import { entryOf, isNull, type MapNode, type Node } from "../document/tree.js";
import { propertyIndex } from "../schema/property-index.js";

/** Settings from the overrides file that an upgrade needs. */
export interface UpgradeSettings {
  readonly org: string;
  readonly project: string;
  readonly namespace: string;
  readonly environments: readonly string[];
  readonly groups: readonly string[];
  /** Number of nodes of the database. */
  readonly replicas: number;
  readonly hasSeed: boolean;
  /**
   * Email address of a service account; absent if the file does not contain it.
   */
  readonly martAccount?: string;
  readonly watcherAccount?: string;
  readonly watcherPath?: string;
  /**
   * Name of the secret that contains the account key of the Watcher component;
   * absent if the key is in a file.
   */
  readonly watcherSecret?: string;
  /** Base URL of the control plane API; absent for the default URL. */
  readonly api?: string;
  /** Values that must not be printed. */
  readonly secrets: readonly string[];
}

/**
 * Reads the settings that an upgrade needs from an overrides file.
 * @param folder folder against which relative paths are resolved
 */
export function readUpgradeSettings(
  root: MapNode,
  folder: string,
): UpgradeSettings {
  const project = textAt(root, "gcp", "projectID") ?? "";
  const martAccount = accountAddress(root, "mart", project, folder);
  const watcherAccount = accountAddress(root, "watcher", project, folder);
  const watcherPath = textAt(root, "watcher", "serviceAccountPath");
  const watcherSecret = textAt(root, "watcher", "serviceAccountRef");
  const api = textAt(root, "contractProvider");
  return {
    org: textAt(root, "org") ?? "",
    project,
    namespace: textAt(root, "namespace") ?? "apigee",
    environments: namesIn(root, "envs"),
    groups: namesIn(root, "virtualhosts"),
    replicas: Number(textAt(root, "cassandra", "replicaCount") ?? "1"),
    hasSeed: textAt(root, "cassandra", "externalSeedHost") !== undefined,
    ...(martAccount === undefined ? {} : { martAccount }),
    ...(watcherAccount === undefined ? {} : { watcherAccount }),
    ...(watcherPath === undefined ? {} : { watcherPath }),
    ...(watcherSecret === undefined ? {} : { watcherSecret }),
    ...(api === undefined ? {} : { api }),
    secrets: secretValues(root),
  };
}

function textAt(root: Node, ...keys: string[]): string | undefined {
  let node: Node | undefined = root;
  for (const key of keys) node = entryOf(node, key)?.value;
  return node?.kind === "scalar" && !isNull(node) ? node.text : undefined;
}

function namesIn(root: Node, key: string): string[] {
  const list = entryOf(root, key)?.value;
  if (list?.kind !== "list") return [];
  return list.items.flatMap((item) => textAt(item, "name") ?? []);
}

/**
 * Returns the email address of a service account. Reads it from the key file.
 * If this fails, derives it from the file name, which contains the account's
 * name by default.
 */
function accountAddress(
  root: Node,
  component: string,
  project: string,
  folder: string,
): string | undefined {
  const file = textAt(root, component, "serviceAccountPath");
  if (file === undefined) return undefined;
  const mail = readMailAddress(path.resolve(folder, file));
  if (mail !== undefined) return mail;
  const name = /-(apigee-[a-z]+)\.json$/.exec(file)?.[1];
  return name === undefined || project === ""
    ? undefined
    : `${name}@${project}.iam.gserviceaccount.com`;
}

/** Reads the email address in a key file. The key itself is not used. */
function readMailAddress(file: string): string | undefined {
  try {
    const { client_email: mail } = JSON.parse(readFileSync(file, "utf8")) as {
      client_email?: unknown;
    };
    return typeof mail === "string" && /^[\w.@-]+$/.test(mail)
      ? mail
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Minimum length in characters of values that are masked. Masking shorter
 * values would make the output unreadable.
 */
const MIN_SECRET_LENGTH = 4;

function secretValues(root: MapNode): string[] {
  const { byPath } = propertyIndex();
  const found = new Set<string>();
  const seen = new Set<Node>();
  const visit = (node: Node, path: string): void => {
    if (seen.has(node)) return;
    seen.add(node);
    const isSecret = byPath.get(path)?.row.secret === true;
    if (
      node.kind === "scalar" &&
      isSecret &&
      node.text.length >= MIN_SECRET_LENGTH
    )
      found.add(node.text);
    if (node.kind === "list")
      for (const item of node.items) visit(item, `${path}[]`);
    if (node.kind === "map")
      for (const { key, value } of node.entries)
        visit(value, path === "" ? key : `${path}.${key}`);
  };
  visit(root, "");
  return [...found].flatMap(linesOfSecret);
}

/**
 * Returns a secret and each of its lines, because output is masked line by
 * line.
 */
function linesOfSecret(secret: string): string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  const long = lines.filter((line) => line.length >= MIN_SECRET_LENGTH);
  return lines.length === 1 ? [secret] : [secret, ...long];
}
