import {
  entryOf,
  isNull,
  type Entry,
  type MapNode,
  type Node,
  type ScalarNode,
} from "../document/tree.js";
import type { KeyPath } from "../key-path.js";
import type { RewriteSession } from "./rewrite-session.js";
import { formatLikeSource } from "./edits.js";

/**
 * Adds to the report the instructions for configuring host names in environment
 * groups.
 */
export function explainHosts(
  session: RewriteSession,
  { value }: Entry,
  path: KeyPath,
): void {
  const hosts = textsOf(value);
  if (hosts.length === 0) return;
  const { old, now } = environmentGroupAt(session, path);
  session.addInstruction(
    "environment group",
    `add the host name${hosts.length === 1 ? "" : "s"} ${hosts.join(", ")} to the environment group ${now}${old === now ? "" : ` (was ${old})`}, in the field hostnames of organizations/${orgOf(session)}/envgroups/${now}`,
    now,
  );
}

/**
 * Adds to the report the instructions that replace routing rules: attach
 * environments to the environment group, and deploy proxies with the base
 * paths of the rules.
 */
export function explainRoutes(
  session: RewriteSession,
  { value }: Entry,
  path: KeyPath,
): void {
  const { now } = environmentGroupAt(session, path);
  const environments = new Set<string>();
  for (const rule of value.kind === "list" ? value.items : []) {
    const env = textOf(entryOf(rule, "env")?.value) ?? "an environment";
    const paths = textsOf(entryOf(rule, "paths")?.value);
    const timeout = textOf(entryOf(rule, "connectTimeout")?.value);
    environments.add(env);
    session.addInstruction(
      "proxy",
      `deploy the proxies with the base paths ${(paths.length === 0 ? ["/"] : paths).join(", ")} to ${env}, because ${now} routed them there${timeout === undefined ? "" : `; connectTimeout was ${timeout} s`}`,
      now,
    );
  }
  for (const env of environments)
    session.addInstruction(
      "environment group",
      `attach the environment ${env} to the environment group ${now}`,
      now,
    );
  if (environments.size > 1)
    session.addWarning(
      `requests to ${now} were routed to several environments by path; since 1.3, the base path of a proxy selects the environment, so two environments must not deploy the same base path`,
    );
}

/**
 * Renames environment groups. Moves the minimum and maximum TLS version from
 * the ingress to each virtual host.
 */
export function updateVirtualHosts(session: RewriteSession): void {
  const { root, options } = session;
  const hosts = entryOf(root, "virtualhosts")?.value;
  const items = hosts?.kind === "list" ? hosts.items : [];
  const bounds = tlsLimits(entryOf(root, "ingress")?.value);
  const seen = new Set<string>();
  for (const item of items) {
    const name = entryOf(item, "name");
    if (item.kind !== "map" || name?.value.kind !== "scalar") continue;
    seen.add(name.value.text);
    renameGroup(session, name, name.value);
    for (const bound of bounds) moveTlsLimit(session, item, name, bound);
  }
  for (const [old, now] of options.envgroups)
    if (!seen.has(old) && !seen.has(now))
      session.addRefusal(
        `--envgroup ${old}=${now}: virtualhosts has no entry ${old}`,
      );
}

function renameGroup(
  session: RewriteSession,
  entry: Entry,
  name: ScalarNode,
): void {
  const now = session.options.envgroups.get(name.text);
  if (now === undefined) {
    if (name.text === "default")
      session.addWarning(
        "an environment group is named default; pass --envgroup default=NAME to use the name of an existing group",
      );
    return;
  }
  if (entry.aliasRange !== undefined)
    return session.addRefusal(
      `line ${session.layout.lineOf(entry.keyRange.start)}: the name is a YAML alias, so renaming it would also change the anchor's value; replace the alias with its value first`,
    );
  session.edits.replace(
    name.range,
    formatLikeSource(session.source(name.range), now),
  );
  session.addChange(
    name.range.start,
    "virtualhosts[].name",
    "renamed",
    `the environment group ${name.text} was renamed to ${now}`,
  );
}

function tlsLimits(ingress: Node | undefined): Entry[] {
  if (ingress?.kind !== "map") return [];
  return ingress.entries.filter(
    ({ key, value }) => isTlsLimit(key) && value.kind === "scalar",
  );
}

function moveTlsLimit(
  session: RewriteSession,
  item: MapNode,
  name: Entry,
  { key, value, keyRange }: Entry,
): void {
  if (entryOf(item, key) !== undefined || value.kind !== "scalar") return;
  const text = value.isPlain ? `"${value.text}"` : session.source(value.range);
  const { layout } = session;
  if (item.isFlow)
    session.edits.insert(layout.contentEnd(name), `, ${key}: ${text}`);
  else
    session.insertLines(layout.lineAfter(name), [
      `${" ".repeat(layout.columnOf(name.keyRange.start))}${key}: ${text}`,
    ]);
  session.addChange(
    keyRange.start,
    `ingress.${key}`,
    "moved",
    `ingress.${key} moved to ${key} of each virtual host`,
  );
}

/**
 * Tests whether a key sets the minimum or maximum TLS version of the ingress.
 */
export function isTlsLimit(key: string): boolean {
  return /^(min|max)TLSProtocolVersion$/.test(key);
}

function environmentGroupAt(
  { root, options }: RewriteSession,
  path: KeyPath,
): { readonly old: string; readonly now: string } {
  const hosts = entryOf(root, "virtualhosts")?.value;
  const item =
    hosts?.kind === "list" ? hosts.items[Number(path[1])] : undefined;
  const old = textOf(entryOf(item, "name")?.value) ?? "without a name";
  return { old, now: options.envgroups.get(old) ?? old };
}

function orgOf({ root }: RewriteSession): string {
  return textOf(entryOf(root, "org")?.value) ?? "ORG";
}

function textOf(node: Node | undefined): string | undefined {
  return node?.kind === "scalar" && !isNull(node) ? node.text : undefined;
}

function textsOf(node: Node | undefined): string[] {
  if (node?.kind !== "list") return [];
  return node.items.flatMap((item) => textOf(item) ?? []);
}
