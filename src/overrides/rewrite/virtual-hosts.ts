import {
  entryOf,
  isNothing,
  type Entry,
  type MapNode,
  type Node,
  type ScalarNode,
} from "../document/tree.js";
import type { FilePath } from "../key-path.js";
import { isTls } from "./explain-removal.js";
import type { Rewriting } from "./session.js";
import { requoted } from "./format-scalar.js";

/** Host names become those of the environment group. */
export function explainHosts(
  rewriting: Rewriting,
  { value }: Entry,
  path: FilePath,
): void {
  const hosts = textsOf(value);
  if (hosts.length === 0) return;
  const { old, now } = groupAt(rewriting, path);
  rewriting.instruct(
    "environment group",
    `add the host name${hosts.length === 1 ? "" : "s"} ${hosts.join(", ")} to the environment group ${now}${old === now ? "" : ` (was ${old})`}: hostnames of organizations/${orgOf(rewriting)}/envgroups/${now}`,
    now,
  );
}

/** Routing becomes attachments of environments, and base paths of proxies. */
export function explainRoutes(
  rewriting: Rewriting,
  { value }: Entry,
  path: FilePath,
): void {
  const { now } = groupAt(rewriting, path);
  const environments = new Set<string>();
  for (const rule of value.kind === "list" ? value.items : []) {
    const env = textOf(entryOf(rule, "env")?.value) ?? "an environment";
    const paths = textsOf(entryOf(rule, "paths")?.value);
    const timeout = textOf(entryOf(rule, "connectTimeout")?.value);
    environments.add(env);
    rewriting.instruct(
      "proxy",
      `${(paths.length === 0 ? ["/"] : paths).join(", ")} of ${now} led to ${env}: deploy the proxies with these base paths there${timeout === undefined ? "" : `; connectTimeout was ${timeout} s`}`,
      now,
    );
  }
  for (const env of environments)
    rewriting.instruct(
      "environment group",
      `attach the environment ${env} to the environment group ${now}`,
      now,
    );
  if (environments.size > 1)
    rewriting.warn(
      `${now} led to several environments by path; from 1.3 on the base path of a proxy decides, so no two of them may deploy the same`,
    );
}

/** Gives environment groups their new names, and moves TLS bounds of the ingress to them. */
export function adjustHosts(rewriting: Rewriting): void {
  const { root, options } = rewriting;
  const hosts = entryOf(root, "virtualhosts")?.value;
  const items = hosts?.kind === "list" ? hosts.items : [];
  const bounds = boundsOf(entryOf(root, "ingress")?.value);
  const seen = new Set<string>();
  for (const item of items) {
    const name = entryOf(item, "name");
    if (item.kind !== "map" || name?.value.kind !== "scalar") continue;
    seen.add(name.value.text);
    rename(rewriting, name, name.value);
    for (const bound of bounds) moveBound(rewriting, item, name, bound);
  }
  for (const [old, now] of options.envgroups)
    if (!seen.has(old) && !seen.has(now))
      rewriting.refuse(`--envgroup ${old}=${now}: there is no ${old}`);
}

function rename(rewriting: Rewriting, entry: Entry, name: ScalarNode): void {
  const now = rewriting.options.envgroups.get(name.text);
  if (now === undefined) {
    if (name.text === "default")
      rewriting.warn(
        "an environment group is named default; --envgroup default=NAME gives it the name of one that exists",
      );
    return;
  }
  if (entry.aliasAt !== undefined)
    return rewriting.refuse(
      `line ${rewriting.layout.lineOf(entry.keyRange.start)}: the name comes from an alias, and can't be changed alone`,
    );
  rewriting.edits.replace(
    name.range,
    requoted(rewriting.source(name.range), now),
  );
  rewriting.noteChange(
    name.range.start,
    "virtualhosts[].name",
    "renamed",
    `${name.text} became the environment group ${now}`,
  );
}

function boundsOf(ingress: Node | undefined): Entry[] {
  if (ingress?.kind !== "map") return [];
  return ingress.entries.filter(
    ({ key, value }) => isTls(key) && value.kind === "scalar",
  );
}

function moveBound(
  rewriting: Rewriting,
  item: MapNode,
  name: Entry,
  { key, value, keyRange }: Entry,
): void {
  if (entryOf(item, key) !== undefined || value.kind !== "scalar") return;
  const text = value.isPlain
    ? `"${value.text}"`
    : rewriting.source(value.range);
  const { layout } = rewriting;
  if (item.isFlow)
    rewriting.edits.insert(layout.contentEnd(name), `, ${key}: ${text}`);
  else
    rewriting.insertLines(layout.lineAfter(name), [
      `${" ".repeat(layout.columnOf(name.keyRange.start))}${key}: ${text}`,
    ]);
  rewriting.noteChange(
    keyRange.start,
    `ingress.${key}`,
    "moved",
    `ingress.${key} became ${key} of each virtual host`,
  );
}

function groupAt(
  { root, options }: Rewriting,
  path: FilePath,
): { readonly old: string; readonly now: string } {
  const hosts = entryOf(root, "virtualhosts")?.value;
  const item =
    hosts?.kind === "list" ? hosts.items[Number(path[1])] : undefined;
  const old = textOf(entryOf(item, "name")?.value) ?? "without a name";
  return { old, now: options.envgroups.get(old) ?? old };
}

function orgOf({ root }: Rewriting): string {
  return textOf(entryOf(root, "org")?.value) ?? "ORG";
}

function textOf(node: Node | undefined): string | undefined {
  return node?.kind === "scalar" && !isNothing(node) ? node.text : undefined;
}

function textsOf(node: Node | undefined): string[] {
  if (node?.kind !== "list") return [];
  return node.items.flatMap((item) => textOf(item) ?? []);
}
