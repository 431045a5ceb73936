import { formatCount } from "../diagnostics/format-count.js";

/**
 * Kinds of changes with their headings, in the order in which a page shows
 * them.
 */
export const CHANGE_SECTIONS = [
  ["removed", "Removed"],
  ["changed", "Changed"],
  ["deprecated", "Deprecated"],
  ["added", "Added"],
  ["text", "Descriptions"],
] as const;

/**
 * Difference between the previous and the current version of an API's document.
 */
export interface SiteChange {
  readonly kind: (typeof CHANGE_SECTIONS)[number][0];
  /** Name of the changed object, such as the id of a method. */
  readonly label: string;
  readonly text: string;
  /** True if the change breaks callers, servers or types. */
  readonly isBreaking: boolean;
  /**
   * JSON pointer to the changed object in the current document; absent for
   * removed objects.
   */
  readonly pointer?: string | undefined;
}

/**
 * Differences between the previous and the current version of an API's
 * document.
 */
export interface ApiChanges {
  /** Revision of the previous document; null if the API is new. */
  readonly from: string | null;
  /** Revision of the current document. */
  readonly to: string | null;
  readonly changes: readonly SiteChange[];
}

/** Maximum number of changes that each section of a page shows. */
export const MAX_CHANGES = 500;

/**
 * Formats the numbers of all changes and of breaking changes: `12 changes, 3
 * breaking`.
 */
export function summaryText(changes: readonly SiteChange[]): string {
  if (changes.length === 0) return "no changes";
  const breaking = changes.filter(({ isBreaking }) => isBreaking).length;
  const total = formatCount(changes.length, "change");
  return breaking === 0 ? total : `${total}, ${breaking} breaking`;
}

/** Tests whether an API has a page with its changes. */
export function hasChanges(changes: ApiChanges | undefined): boolean {
  return (
    changes !== undefined && changes.from !== null && changes.changes.length > 0
  );
}
