import type {
  DirectoryItem,
  DirectoryList,
} from "../../../generated/discovery/v1/schemas.js";
import type { DocumentSummary } from "../../site/document-summary.js";
import { byNameAndVersion, preferredIds } from "../../site/versions.js";

/** Parameters that filter the list of APIs. */
export interface ListFilter {
  readonly name?: string;
  readonly preferred: boolean;
}

/** Path of the list of APIs, as described in specs/discovery.v1.json. */
export const LIST_PATH = "/discovery/v1/apis";

/**
 * Returns the list of APIs, with URLs of the given origin. A description without
 * methods, such as that of a file, is not an API and is not listed. `items` is
 * omitted if no API matches.
 */
export function listOf(
  summaries: readonly DocumentSummary[],
  origin: string,
  { name, preferred }: ListFilter,
): DirectoryList {
  const apis = summaries.filter(({ hasMethods }) => hasMethods);
  const preferredVersions = preferredIds(apis);
  const items = apis
    .filter((summary) => name === undefined || summary.name === name)
    .filter(({ id }) => !preferred || preferredVersions.has(id))
    .sort(byNameAndVersion)
    .map((summary) =>
      itemOf(summary, origin, preferredVersions.has(summary.id)),
    );
  const head = { kind: "discovery#directoryList", discoveryVersion: "v1" };
  return items.length === 0 ? head : { ...head, items };
}

/** Returns the path at which a document is served. */
export function restPath({
  name,
  version,
}: Pick<DocumentSummary, "name" | "version">): string {
  return `${LIST_PATH}/${encodeURIComponent(name)}/${encodeURIComponent(version)}/rest`;
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
