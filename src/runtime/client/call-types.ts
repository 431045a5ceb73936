import type { Call, CallResult, SHAPE } from "./contract.js";

/*
 * The kinds of call objects, apart from what makes them: who checks the types
 * of one call need not check the code of all.
 */

/** A call for a page, from which all the pages can be had. */
export interface PagesCall<T> extends Call<T> {
  /** For types alone. */
  readonly [SHAPE]?: { value: T; pages: unknown };
  /**
   * This page and those that follow, one request each, as they are asked for.
   * Ends at a page without a token; an empty page does not end it. So `fields`
   * has to select the token as well, where it is given.
   *
   * @throws ApiError of kind `decode` if the server gives a token twice running.
   */
  pages(): AsyncIterable<T>;
}

/**
 * A {@link PagesCall} that iterates over the items of all pages.
 *
 * @typeParam K the field of a page that holds them.
 */
export interface PagedCall<T, K>
  extends PagesCall<T>, AsyncIterable<ItemOf<T, K>> {
  /** For types alone. */
  readonly [SHAPE]?: { value: T; pages: K };
}

/** What a field of a page holds; `never` if the page lacks it. */
export type ItemOf<T, K> = K extends keyof T
  ? ItemIn<NonNullable<T[K]>>
  : never;

type ItemIn<V> = V extends readonly (infer I)[]
  ? I
  : V extends { readonly [key: string]: infer I }
    ? [string, I]
    : never;

/** A call for an array that is one page of a list, whose pages are linked. */
export interface ListCall<T>
  extends Call<T>, AsyncIterable<T extends readonly (infer E)[] ? E : never> {
  /** For types alone. */
  readonly [SHAPE]?: { value: T; linked: true };
  /**
   * This page and those that follow, one request each, as they are asked for.
   * Each is the same call with another number; ends where no link is `next`.
   *
   * @throws ApiError of kind `decode` if a link leads to the same page.
   */
  pages(): AsyncIterable<T>;
}

/**
 * A call whose answer says where bytes are, and which gives those bytes.
 *
 * @typeParam H what `headers.get` of the answer itself gives, by name.
 */
export interface RedirectCall<H = unknown> extends MediaCall<Blob> {
  /** For types alone. */
  readonly [SHAPE]?: { value: Blob; media: true; moved: H };
  /**
   * The answer itself: where the bytes are, as it says it (it may be relative
   * to the URL of the request). Browsers do not show this to programs.
   *
   * @throws ApiError (as rejection), whatever goes wrong.
   */
  unfollowed(): Promise<HeadedResult<string, H>>;
}

/**
 * A call whose answers have headers that the description knows.
 *
 * @typeParam H what `headers.get` gives, by name.
 */
export interface HeadedCall<T, H> extends Call<T> {
  /** For types alone. */
  readonly [SHAPE]?: { value: T; headers: H };
  withResponse(): Promise<HeadedResult<T, H>>;
}

/** A value with a response whose headers are known. */
export interface HeadedResult<T, H> extends CallResult<T> {
  readonly response: Omit<Response, "headers"> & {
    readonly headers: KnownHeaders<H>;
  } & Response;
}

/** Headers of which some are known, as written and in lower case. */
export interface KnownHeaders<H> extends Headers {
  get<K extends string & keyof AnyCase<H>>(name: K): AnyCase<H>[K];
  get(name: string): string | null;
}

type AnyCase<H> = {
  [K in keyof H as K | Lowercase<K & string>]: H[K];
};

/** A call whose media can be had as well as its value. */
export interface MediaCall<T> extends Call<T> {
  /** For types alone. */
  readonly [SHAPE]?: { value: T; media: true };
  /**
   * The media itself, in place of what describes it (`alt=media`). A timeout
   * covers the head of the answer, the signal its body as well.
   */
  media(): Promise<Media>;
}

/** Media that has begun to arrive; the body can be read once. */
export interface Media {
  /** Status and headers. */
  readonly response: Response;
  /** The media type, with its parameters; empty if the server gives none. */
  readonly type: string;
  /** The body as it arrives; its errors are those of the platform. */
  readonly stream: NonNullable<Response["body"]>;
  /** The whole body. @throws ApiError of kind `network` or `abort`. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** The whole body, as UTF-8. @throws ApiError, as `bytes` does. */
  text(): Promise<string>;
  /** The whole body with its type. @throws ApiError, as `bytes` does. */
  blob(): Promise<Blob>;
}

/** How long to wait, and how often to ask. */
export interface WaitOptions<T = unknown> {
  /** Ends the waiting; the operation goes on. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the waiting. Default: no limit. */
  readonly timeout?: number | undefined;
  /** Milliseconds until it is asked for the first time. Default: 1,000. */
  readonly interval?: number | undefined;
  /** Milliseconds up to which that grows, by half each time. Default: 20,000. */
  readonly maxInterval?: number | undefined;
  /** Called with each state of the operation, the first and last included. */
  readonly onProgress?: ((operation: T) => void) | undefined;
}

/** A call that begins an operation `T`, which ends with `R`. */
export interface OperationCall<T, R = unknown> extends Call<T> {
  /** For types alone. */
  readonly [SHAPE]?: { value: T; ends: R };
  /**
   * The result: the field `response` of an operation that has `done`, of
   * another kind the operation itself.
   *
   * @throws ApiError of kind `operation` if the operation ends with an error,
   *   with its code, details and errors.
   */
  wait(options?: WaitOptions<T>): Promise<R>;
}

/**
 * A call whose answer can be had piece by piece, as it arrives. Leaving the
 * loop ends the request.
 *
 * @throws ApiError also for an error that comes in the stream.
 */
export interface StreamCall<T, I> extends Call<T>, AsyncIterable<I> {
  /** For types alone. */
  readonly [SHAPE]?: { value: T; pieces: I };
}
