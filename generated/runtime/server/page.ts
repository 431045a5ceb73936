/* eslint-disable */
// biome-ignore-all lint: generated

/** Page of a list, with the position of the page. Created by {@link page}. */
export class Page<T> {
  readonly items: T;
  readonly position: PagePosition;

  constructor(items: T, position: PagePosition) {
    this.items = items;
    this.position = position;
  }
}

/** Position of a page in its list. */
export interface PagePosition {
  /** Number of items in the list; required for the link to the last page. */
  readonly total?: number;
  /**
   * True if another page follows. Used for lists whose total number of items is
   * unknown.
   */
  readonly hasMore?: boolean;
}

/**
 * Creates a response that contains one page of a list, for methods with link
 * pagination (`x-paging`). The runtime adds the header with the links to other
 * pages.
 */
export function page<T>(items: T, position: PagePosition): Page<T> {
  return new Page(items, position);
}
