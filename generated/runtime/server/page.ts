/* eslint-disable */
// biome-ignore-all lint: generated

/** One page of a longer list; made by {@link page}. */
export class Page<T> {
  readonly items: T;
  readonly position: PagePosition;

  constructor(items: T, position: PagePosition) {
    this.items = items;
    this.position = position;
  }
}

/** What is known of the list that a page is of. */
export interface PagePosition {
  /** Elements of the whole list; with it the last page can be named. */
  readonly total?: number;
  /** Whether another page follows, where nobody counts them. */
  readonly hasMore?: boolean;
}

/**
 * Answers with a page of a list (`x-paging`). The header with the links to
 * other pages is made of the request and of what is known of the list.
 */
export function page<T>(items: T, position: PagePosition): Page<T> {
  return new Page(items, position);
}
