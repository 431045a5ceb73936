import { readFileSync } from "node:fs";
import path from "node:path";
import {
  entryOf,
  isNothing,
  type MapNode,
  type Node,
} from "../document/tree.js";
import { knowledge } from "../schema/property-index.js";

/** What an upgrade has to know of the overrides file. */
export interface FileFacts {
  readonly org: string;
  readonly project: string;
  readonly namespace: string;
  readonly environments: readonly string[];
  readonly groups: readonly string[];
  /** Nodes of the database. */
  readonly replicas: number;
  readonly hasSeed: boolean;
  /** Mail addresses of accounts; undefined where the file does not tell. */
  readonly martAccount?: string;
  readonly watcherAccount?: string;
  readonly watcherPath?: string;
  /** Secret with the key of the watcher's account, instead of a file. */
  readonly watcherSecret?: string;
  /** Base URL of the control plane, where it is not the usual one. */
  readonly api?: string;
  /** Values that nobody may see. */
  readonly secrets: readonly string[];
}

/** Reads the facts off a file. @param folder where relative paths begin */
export function factsOf(root: MapNode, folder: string): FileFacts {
  const project = textAt(root, "gcp", "projectID") ?? "";
  const martAccount = accountOf(root, "mart", project, folder);
  const watcherAccount = accountOf(root, "watcher", project, folder);
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
    secrets: secretsOf(root),
  };
}

function textAt(root: Node, ...keys: string[]): string | undefined {
  let node: Node | undefined = root;
  for (const key of keys) node = entryOf(node, key)?.value;
  return node?.kind === "scalar" && !isNothing(node) ? node.text : undefined;
}

function namesIn(root: Node, key: string): string[] {
  const list = entryOf(root, key)?.value;
  if (list?.kind !== "list") return [];
  return list.items.flatMap((item) => textAt(item, "name") ?? []);
}

/** The account's mail address: from its file, else as the tool that makes accounts names them. */
function accountOf(
  root: Node,
  component: string,
  project: string,
  folder: string,
): string | undefined {
  const file = textAt(root, component, "serviceAccountPath");
  if (file === undefined) return undefined;
  const own = mailIn(path.resolve(folder, file));
  if (own !== undefined) return own;
  const name = /-(apigee-[a-z]+)\.json$/.exec(file)?.[1];
  return name === undefined || project === ""
    ? undefined
    : `${name}@${project}.iam.gserviceaccount.com`;
}

/** Reads nothing of the file but the address. */
function mailIn(file: string): string | undefined {
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

/** Shorter values would make gaps all over what is shown. */
const SHORTEST = 4;

function secretsOf(root: MapNode): string[] {
  const { byPath } = knowledge();
  const found = new Set<string>();
  const seen = new Set<Node>();
  const visit = (node: Node, place: string): void => {
    if (seen.has(node)) return;
    seen.add(node);
    const isSecret = byPath.get(place)?.row.secret === true;
    if (node.kind === "scalar" && isSecret && node.text.length >= SHORTEST)
      found.add(node.text);
    if (node.kind === "list")
      for (const item of node.items) visit(item, `${place}[]`);
    if (node.kind === "map")
      for (const { key, value } of node.entries)
        visit(value, place === "" ? key : `${place}.${key}`);
  };
  visit(root, "");
  return [...found].flatMap(linesOfSecret);
}

/** Output is masked line by line, so each line of a key is a secret, too. */
function linesOfSecret(secret: string): string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  const long = lines.filter((line) => line.length >= SHORTEST);
  return lines.length === 1 ? [secret] : [secret, ...long];
}
