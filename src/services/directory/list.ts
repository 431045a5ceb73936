import type {
  DirectoryItem,
  DirectoryList,
} from "../../../generated/discovery/v1/schemas.js";
import type { Facts } from "./document-summary.js";
import { compareVersions } from "./versions.js";

/** Which entries of the list are wanted. */
export interface ListFilter {
  readonly name?: string;
  readonly preferred: boolean;
}

/** Path of the list, where the directory's own description has it. */
export const LIST_PATH = "/discovery/v1/apis";

/** The list as callers of an origin get it; without `items` where nothing matches. */
export function listOf(
  facts: readonly Facts[],
  origin: string,
  { name, preferred }: ListFilter,
): DirectoryList {
  const best = preferredIds(facts);
  const items = facts
    .filter((one) => name === undefined || one.name === name)
    .filter(({ id }) => !preferred || best.has(id))
    .sort(byNameAndVersion)
    .map((one) => itemOf(one, origin, best.has(one.id)));
  const head = { kind: "discovery#directoryList", discoveryVersion: "v1" };
  return items.length === 0 ? head : { ...head, items };
}

/** By name; of a name, the version to prefer first. */
export function byNameAndVersion(a: Facts, b: Facts): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return (
    Number(isDeprecated(a)) - Number(isDeprecated(b)) ||
    compareVersions(a.version, b.version)
  );
}

/** The id of one version of each name: what is deprecated is only preferred among its like. */
export function preferredIds(facts: readonly Facts[]): Set<string> {
  const best = new Map<string, Facts>();
  for (const one of facts) {
    const other = best.get(one.name);
    if (other === undefined || byNameAndVersion(one, other) < 0)
      best.set(one.name, one);
  }
  return new Set([...best.values()].map(({ id }) => id));
}

/** Path of a document. */
export function restPath({
  name,
  version,
}: Pick<Facts, "name" | "version">): string {
  return `${LIST_PATH}/${encodeURIComponent(name)}/${encodeURIComponent(version)}/rest`;
}

function isDeprecated({ labels }: Facts): boolean {
  return labels?.includes("deprecated") === true;
}

function itemOf(
  facts: Facts,
  origin: string,
  preferred: boolean,
): DirectoryItem {
  const { id, name, version, title, description } = facts;
  const { icons, documentationLink, labels } = facts;
  return {
    kind: "discovery#directoryItem",
    id,
    name,
    version,
    title,
    description,
    discoveryRestUrl: origin + restPath(facts),
    discoveryLink: `.${restPath(facts).slice("/discovery/v1".length)}`,
    ...(icons === undefined ? {} : { icons }),
    ...(documentationLink === undefined ? {} : { documentationLink }),
    ...(labels === undefined ? {} : { labels: [...labels] }),
    preferred,
  };
}
