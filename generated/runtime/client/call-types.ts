/* eslint-disable */
// biome-ignore-all lint: generated

import type { Call, CallResult, SHAPE } from "./contract.js";

/*
 * Types of the objects that represent calls. They are separate from the code of
 * `pages()`, `media()` and similar members, so that type checking one call does
 * not load all of this code.
 */

/**
 * Call that returns one page of a list and can also iterate over the following
 * pages.
 */
export interface PagesCall<T> extends Call<T> {
  /** Used only for type inference; absent at run time. */
  readonly [SHAPE]?: { value: T; pages: unknown };
  /**
   * Iterates over this page and the following pages. Each page is requested on
   * demand. The iteration ends at a page without a next-page token, not at an
   * empty page. If the parameter `fields` is set and does not select the token,
   * the requests of the iteration also select it.
   *
   * @throws ApiError of kind `decode` if the server repeats the token of a
   *   page.
   */
  pages(): AsyncIterable<T>;
}

/**
 * {@link PagesCall} that also iterates over the items of all pages.
 *
 * @typeParam K page field that contains the items.
 */
export interface PagedCall<T, K>
  extends PagesCall<T>, AsyncIterable<ItemOf<T, K>> {
  /** Used only for type inference; absent at run time. */
  readonly [SHAPE]?: { value: T; pages: K };
}

/**
 * Item type of the page field `K`; `never` if the page does not have the field.
 */
export type ItemOf<T, K> = K extends keyof T
  ? ItemIn<NonNullable<T[K]>>
  : never;

type ItemIn<V> = V extends readonly (infer I)[]
  ? I
  : V extends { readonly [key: string]: infer I }
    ? [string, I]
    : never;

/**
 * Call for one page of a list. The page is an array, and a response header
 * contains the link to the next page.
 */
export interface ListCall<T>
  extends Call<T>, AsyncIterable<T extends readonly (infer E)[] ? E : never> {
  /** Used only for type inference; absent at run time. */
  readonly [SHAPE]?: { value: T; list: true };
  /**
   * Iterates over this page and the following pages. Each page is requested on
   * demand, with the page number from the link with `rel="next"`. The iteration
   * ends at a response without this link.
   *
   * @throws ApiError of kind `decode` if the link points to the same page
   *   again.
   */
  pages(): AsyncIterable<T>;
}

/**
 * Call whose response redirects to content. The call resolves to the content.
 *
 * @typeParam H types of the redirect's headers, keyed by header name.
 */
export interface RedirectCall<H = unknown> extends MediaCall<Blob> {
  /** Used only for type inference; absent at run time. */
  readonly [SHAPE]?: { value: Blob; media: true; redirect: H };
  /**
   * Returns the target URL of the redirect without following the redirect. The
   * URL can be relative to the request URL. Not supported in browsers, which
   * hide redirects from scripts.
   *
   * @throws ApiError (as a rejection) for any failure.
   */
  unfollowed(): Promise<HeadedResult<string, H>>;
}

/**
 * Call whose response has headers that the API description declares.
 *
 * @typeParam H types of the declared headers, keyed by header name.
 */
export interface HeadedCall<T, H> extends Call<T> {
  /** Used only for type inference; absent at run time. */
  readonly [SHAPE]?: { value: T; headers: H };
  withResponse(): Promise<HeadedResult<T, H>>;
}

/** Value and response of a call, with typed response headers. */
export interface HeadedResult<T, H> extends CallResult<T> {
  readonly response: Omit<Response, "headers"> & {
    readonly headers: KnownHeaders<H>;
  } & Response;
}

/**
 * Response headers with typed values for declared names. A declared name can
 * also be written in lower case.
 */
export interface KnownHeaders<H> extends Headers {
  get<K extends string & keyof AnyCase<H>>(name: K): AnyCase<H>[K];
  get(name: string): string | null;
}

type AnyCase<H> = {
  [K in keyof H as K | Lowercase<K & string>]: H[K];
};

/** Call that can also download media. */
export interface MediaCall<T> extends Call<T> {
  /** Used only for type inference; absent at run time. */
  readonly [SHAPE]?: { value: T; media: true };
  /**
   * Downloads the media instead of its metadata (`alt=media`). The timeout ends
   * when the status and headers of the response are received; an abort signal
   * also applies to the body.
   */
  media(): Promise<Media>;
}

/** Media in a response. The body can be read only once. */
export interface Media {
  /** Status and headers of the response. */
  readonly response: Response;
  /**
   * Media type with its parameters; empty if the response does not declare one.
   */
  readonly type: string;
  /**
   * Body as a stream. If reading fails, the stream fails with the platform's
   * error instead of an ApiError.
   */
  readonly stream: NonNullable<Response["body"]>;
  /** Reads the body. @throws ApiError of kind `network` or `abort`. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** Reads the body as UTF-8. @throws ApiError of kind `network` or `abort`. */
  text(): Promise<string>;
  /**
   * Reads the body as a Blob with its media type.
   *
   * @throws ApiError of kind `network` or `abort`.
   */
  blob(): Promise<Blob>;
}

/** Options of `wait()`, such as timeout and polling interval. */
export interface WaitOptions<T = unknown> {
  /** Signal that aborts the wait. The operation itself continues. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum time to wait in milliseconds. Default: none. */
  readonly timeout?: number | undefined;
  /** Delay in milliseconds before the first poll. Default: 1,000. */
  readonly interval?: number | undefined;
  /**
   * Maximum polling interval in milliseconds. The interval grows by 50% after
   * each poll. Default: 20,000.
   */
  readonly maxInterval?: number | undefined;
  /**
   * Function that is called with each state of the operation, including the
   * first and the last.
   */
  readonly onProgress?: ((operation: T) => void) | undefined;
}

/**
 * Call that starts a long-running operation of type `T` with a result of type
 * `R`.
 */
export interface OperationCall<T, R = unknown> extends Call<T> {
  /** Used only for type inference; absent at run time. */
  readonly [SHAPE]?: { value: T; result: R };
  /**
   * Waits until the operation is complete and returns its result: the field
   * `response` for an operation with `done: true`, the operation itself for
   * `status: "DONE"`.
   *
   * @throws ApiError of kind `operation` if the operation fails, with the code,
   *   details and errors of the operation.
   */
  wait(options?: WaitOptions<T>): Promise<R>;
}

/**
 * Call whose response elements can be iterated over while the response is being
 * received. Ending the iteration early aborts the request.
 *
 * @throws ApiError if the call fails or if the stream contains an error object.
 */
export interface StreamCall<T, I> extends Call<T>, AsyncIterable<I> {
  /** Used only for type inference; absent at run time. */
  readonly [SHAPE]?: { value: T; element: I };
}
