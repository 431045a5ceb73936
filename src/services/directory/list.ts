import type {
  DirectoryItem,
  DirectoryList,
} from "../../../generated/discovery/v1/schemas.js";
import type { DocumentSummary } from "./document-summary.js";
import { compareVersions } from "./versions.js";

/** Filter for the list of APIs. */
export interface ListFilter {
  readonly name?: string;
  readonly preferred: boolean;
}

/** Path of the list of APIs, as described in specs/discovery.v1.json. */
export const LIST_PATH = "/discovery/v1/apis";

/**
 * Builds the list of APIs, with URLs of the given origin. Omits `items` if no
 * API matches.
 */
export function listOf(
  summaries: readonly DocumentSummary[],
  origin: string,
  { name, preferred }: ListFilter,
): DirectoryList {
  const preferredVersions = preferredIds(summaries);
  const items = summaries
    .filter((summary) => name === undefined || summary.name === name)
    .filter(({ id }) => !preferred || preferredVersions.has(id))
    .sort(byNameAndVersion)
    .map((summary) =>
      itemOf(summary, origin, preferredVersions.has(summary.id)),
    );
  const head = { kind: "discovery#directoryList", discoveryVersion: "v1" };
  return items.length === 0 ? head : { ...head, items };
}

/** Compares by name, then by version. The preferred version is first. */
export function byNameAndVersion(
  a: DocumentSummary,
  b: DocumentSummary,
): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return (
    Number(isDeprecated(a)) - Number(isDeprecated(b)) ||
    compareVersions(a.version, b.version)
  );
}

/**
 * Returns the ids of the preferred versions, one for each name. A deprecated
 * version is preferred only if all versions are deprecated.
 */
export function preferredIds(
  summaries: readonly DocumentSummary[],
): Set<string> {
  const preferredVersions = new Map<string, DocumentSummary>();
  for (const summary of summaries) {
    const current = preferredVersions.get(summary.name);
    if (current === undefined || byNameAndVersion(summary, current) < 0)
      preferredVersions.set(summary.name, summary);
  }
  return new Set([...preferredVersions.values()].map(({ id }) => id));
}

/** Returns the path at which a document is served. */
export function restPath({
  name,
  version,
}: Pick<DocumentSummary, "name" | "version">): string {
  return `${LIST_PATH}/${encodeURIComponent(name)}/${encodeURIComponent(version)}/rest`;
}

function isDeprecated({ labels }: DocumentSummary): boolean {
  return labels?.includes("deprecated") === true;
}

function itemOf(
  summary: DocumentSummary,
  origin: string,
  preferred: boolean,
): DirectoryItem {
  const { id, name, version, title, description } = summary;
  const { icons, documentationLink, labels } = summary;
  return {
    kind: "discovery#directoryItem",
    id,
    name,
    version,
    title,
    description,
    discoveryRestUrl: origin + restPath(summary),
    discoveryLink: `.${restPath(summary).slice("/discovery/v1".length)}`,
    ...(icons === undefined ? {} : { icons }),
    ...(documentationLink === undefined ? {} : { documentationLink }),
    ...(labels === undefined ? {} : { labels: [...labels] }),
    preferred,
  };
}
