import type {
  DirectoryItem,
  DirectoryList,
} from "../../../generated/discovery/v1/schemas.js";
import type { DocumentSummary } from "./document-summary.js";
import { compareVersions } from "./versions.js";

/** Filter of the list. */
export interface ListFilter {
  readonly name?: string;
  readonly preferred: boolean;
}

/** Path of the list in specs/discovery.v1.json. */
export const LIST_PATH = "/discovery/v1/apis";

/** Builds the list for an origin; without `items` if nothing matches. */
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

/** Compares by name, then by version with the preferred one first. */
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

/** Returns the id of the preferred version of each name; deprecated versions come last. */
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

/** Returns the path of a document. */
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
