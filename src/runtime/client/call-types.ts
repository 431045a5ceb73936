import type { Call, CallResult, SHAPE } from "./contract.js";

/*
 * Types of call objects, apart from the features that implement them, so that
 * type checking one call does not read the code of all features.
 */

/** Call for a page that can also iterate over all pages. */
export interface PagesCall<T> extends Call<T> {
  /** Exists in types only. */
  readonly [SHAPE]?: { value: T; pages: unknown };
  /**
   * Iterates over this page and the following ones, with one request each, on
   * demand. Ends at a page without a token, not at an empty page, so `fields`
   * must select the token as well.
   *
   * @throws ApiError of kind `decode` if the server repeats the token of a page.
   */
  pages(): AsyncIterable<T>;
}

/**
 * {@link PagesCall} that iterates over the items of all pages.
 *
 * @typeParam K field of a page with its items.
 */
export interface PagedCall<T, K>
  extends PagesCall<T>, AsyncIterable<ItemOf<T, K>> {
  /** Exists in types only. */
  readonly [SHAPE]?: { value: T; pages: K };
}

/** Item in a field of a page; `never` if the page does not have the field. */
export type ItemOf<T, K> = K extends keyof T
  ? ItemIn<NonNullable<T[K]>>
  : never;

type ItemIn<V> = V extends readonly (infer I)[]
  ? I
  : V extends { readonly [key: string]: infer I }
    ? [string, I]
    : never;

/** Call for one page of a list, an array whose response links to the next page. */
export interface ListCall<T>
  extends Call<T>, AsyncIterable<T extends readonly (infer E)[] ? E : never> {
  /** Exists in types only. */
  readonly [SHAPE]?: { value: T; list: true };
  /**
   * Iterates over this page and the following ones, with one request each, on
   * demand. Each request has the page number of the link `next`; ends at a
   * response without such a link.
   *
   * @throws ApiError of kind `decode` if a link has the number of its own page.
   */
  pages(): AsyncIterable<T>;
}

/**
 * Call whose response redirects to content; the value is this content.
 *
 * @typeParam H types of `headers.get` of the redirect, by name.
 */
export interface RedirectCall<H = unknown> extends MediaCall<Blob> {
  /** Exists in types only. */
  readonly [SHAPE]?: { value: Blob; media: true; redirect: H };
  /**
   * Returns the location of the redirect without following it; it may be
   * relative to the URL of the request. Browsers do not expose it.
   *
   * @throws ApiError (as rejection) for any failure.
   */
  unfollowed(): Promise<HeadedResult<string, H>>;
}

/**
 * Call whose response has headers that the description declares.
 *
 * @typeParam H types of `headers.get`, by name.
 */
export interface HeadedCall<T, H> extends Call<T> {
  /** Exists in types only. */
  readonly [SHAPE]?: { value: T; headers: H };
  withResponse(): Promise<HeadedResult<T, H>>;
}

/** Value with a response whose headers are typed. */
export interface HeadedResult<T, H> extends CallResult<T> {
  readonly response: Omit<Response, "headers"> & {
    readonly headers: KnownHeaders<H>;
  } & Response;
}

/** Headers with types for some names, in their declared form and in lower case. */
export interface KnownHeaders<H> extends Headers {
  get<K extends string & keyof AnyCase<H>>(name: K): AnyCase<H>[K];
  get(name: string): string | null;
}

type AnyCase<H> = {
  [K in keyof H as K | Lowercase<K & string>]: H[K];
};

/** Call that can also download media. */
export interface MediaCall<T> extends Call<T> {
  /** Exists in types only. */
  readonly [SHAPE]?: { value: T; media: true };
  /**
   * Downloads the media instead of its description (`alt=media`). A timeout
   * covers only the head of the response, the signal also its body.
   */
  media(): Promise<Media>;
}

/** Media of a response, whose body can be read once. */
export interface Media {
  /** Status and headers. */
  readonly response: Response;
  /** Media type with its parameters; empty if the response has none. */
  readonly type: string;
  /** Body as a stream; its errors are those of the platform. */
  readonly stream: NonNullable<Response["body"]>;
  /** Reads the body. @throws ApiError of kind `network` or `abort`. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** Reads the body as UTF-8. @throws ApiError like `bytes`. */
  text(): Promise<string>;
  /** Reads the body as Blob with its media type. @throws ApiError like `bytes`. */
  blob(): Promise<Blob>;
}

/** Timeout and polling intervals. */
export interface WaitOptions<T = unknown> {
  /** Stops waiting; the operation continues. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of the waiting in milliseconds. Default: none. */
  readonly timeout?: number | undefined;
  /** Milliseconds before the first poll. Default: 1,000. */
  readonly interval?: number | undefined;
  /** Maximum interval in milliseconds; it grows by half with each poll. Default: 20,000. */
  readonly maxInterval?: number | undefined;
  /** Called with each state of the operation, including the first and the last. */
  readonly onProgress?: ((operation: T) => void) | undefined;
}

/** Call that starts a long-running operation `T` with result `R`. */
export interface OperationCall<T, R = unknown> extends Call<T> {
  /** Exists in types only. */
  readonly [SHAPE]?: { value: T; result: R };
  /**
   * Waits for the result: the field `response` of an operation that has `done`,
   * otherwise the operation itself.
   *
   * @throws ApiError of kind `operation` if the operation fails, with its code,
   *   details and errors.
   */
  wait(options?: WaitOptions<T>): Promise<R>;
}

/**
 * Call whose response can be iterated over while it arrives. Leaving the loop
 * ends the request.
 *
 * @throws ApiError also for an error within the stream.
 */
export interface StreamCall<T, I> extends Call<T>, AsyncIterable<I> {
  /** Exists in types only. */
  readonly [SHAPE]?: { value: T; element: I };
}
