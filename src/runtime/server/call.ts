import type { Content } from "./content.js";
import type { HeaderValue } from "./headers.js";
import type { Page } from "./page.js";
import type { ServerRequest } from "./request.js";

/** API method of the current request, as hooks and handlers receive it. */
export interface MethodInfo {
  /** Method ID in the API description, such as `drive.files.get`. */
  readonly id: string;
  /** HTTP method according to the API description. */
  readonly httpMethod: string;
  /**
   * OAuth scopes. Any one of them is sufficient. Empty if no credential is
   * required.
   */
  readonly scopes: readonly string[];
}

/** Credential that the caller sent. */
export interface Credential {
  /**
   * Authentication scheme in lower case, such as `bearer`; empty for a
   * credential without a scheme.
   */
  readonly scheme: string;
  readonly token: string;
}

/** Content of an upload, or of a request body with any media type. */
export interface Media {
  /** Media type in the request. Default: `application/octet-stream`. */
  readonly contentType: string;
  /** Size in bytes, if the request declares it. */
  readonly size?: number | undefined;
  /**
   * Returns the content in chunks. Can be called only once. The iteration
   * throws an error if the upload is interrupted.
   */
  chunks(): AsyncIterable<Uint8Array>;
  /** Reads the complete content into memory. */
  bytes(): Promise<Uint8Array>;
}

/**
 * Argument that is passed to a handler.
 *
 * @typeParam P decoded parameters.
 * @typeParam B decoded body; `undefined` for methods without one.
 * @typeParam A type of the result of `authenticate`.
 */
export interface Call<P = unknown, B = unknown, A = unknown> {
  readonly params: P;
  readonly body: B;
  readonly auth: A;
  /**
   * API key or token that the caller sent, for APIs that require one in a
   * header.
   */
  readonly credential: Credential | undefined;
  readonly request: ServerRequest;
  /** Signal that is aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  readonly method: MethodInfo;
  /** Uploaded content; undefined for methods that do not accept uploads. */
  readonly media: Media | undefined;
  /** True if the caller requests content (`alt=media`) instead of metadata. */
  readonly wantsContent: boolean;
}

/** Type of response headers for a method without declared response headers. */
export type NoHeaders = Record<never, never>;

/**
 * Response with an explicit status or headers. Created by {@link reply}.
 *
 * @typeParam H headers, keyed by name.
 */
export class Reply<T, H extends object = NoHeaders> {
  readonly value: T;
  readonly status: number | undefined;
  readonly headers: H;
  readonly json: string | Uint8Array | undefined;

  constructor(
    value: T,
    status: number | undefined,
    headers: H,
    json?: string | Uint8Array,
  ) {
    this.value = value;
    this.status = status;
    this.headers = headers;
    this.json = json;
  }
}

/**
 * Optional properties of a reply: the status, and the value as serialized JSON.
 */
interface ReplyOptions {
  readonly status?: number;
  /**
   * Value as JSON text, if it has already been serialized. The text is sent
   * unchanged, unless the caller selects fields or another format.
   */
  readonly json?: string | Uint8Array | undefined;
}

/** Creates a response with an explicit status. */
export function reply<T>(value: T, parts?: ReplyOptions): Reply<T>;
/**
 * Creates a response with headers and, optionally, a status. The compiler
 * checks the types of headers that the API description declares. Header names
 * are case-insensitive.
 */
export function reply<T, H extends Readonly<Record<keyof H, HeaderValue>>>(
  value: T,
  parts: ReplyOptions & { readonly headers: H },
): Reply<T, H>;
export function reply(
  value: unknown,
  { status, headers = {}, json }: ReplyOptions & { headers?: object } = {},
): Reply<unknown, object> {
  return new Reply(value, status, headers, json);
}

/**
 * Value that a handler returns synchronously. It must be a `Reply` if the API
 * description declares a required response header.
 */
export type HandlerValue<T, H extends object> = NoHeaders extends H
  ? T | Reply<T, H>
  : Reply<T, H>;

/**
 * Return type of a handler for a method with the response type `T`.
 *
 * @typeParam H response headers that the API description declares.
 */
export type HandlerResult<T, H extends object = NoHeaders> =
  HandlerValue<T, H> | Promise<HandlerValue<T, H>>;

/** Return type of a handler for a method whose content can be downloaded. */
export type DownloadResult<T, H extends object = NoHeaders> = HandlerResult<
  T | Content,
  H
>;

/**
 * Return type of a handler for a method with link pagination; see {@link page}.
 */
export type PagedResult<T, H extends object = NoHeaders> = HandlerResult<
  T | Page<T>,
  H
>;

/**
 * Handler of a method.
 *
 * @typeParam P decoded parameters.
 * @typeParam B decoded body.
 * @typeParam R response.
 * @typeParam A type of the result of `authenticate`.
 * @typeParam H response headers that the API description declares.
 */
export type Handler<P, B, R, A, H extends object = NoHeaders> = (
  call: Call<P, B, A>,
) => HandlerResult<R, H>;

/** Handler of a method whose content can be downloaded. */
export type DownloadHandler<P, B, R, A, H extends object = NoHeaders> = (
  call: Call<P, B, A>,
) => DownloadResult<R, H>;

/** Handler of a method with link pagination. */
export type PagedHandler<P, B, R, A, H extends object = NoHeaders> = (
  call: Call<P, B, A>,
) => PagedResult<R, H>;

/**
 * Handler of any method, with the most general types of arguments and result.
 */
export type AnyHandler = (call: Call) => unknown;

/**
 * Implementation of {@link Call}. It is a class with a getter, so that the
 * signal is created only when `signal` is read.
 */
export class ServerCall implements Call {
  readonly params: unknown;
  readonly body: unknown;
  readonly auth: unknown;
  readonly credential: Credential | undefined;
  readonly request: ServerRequest;
  readonly method: MethodInfo;
  readonly media: Media | undefined;
  readonly wantsContent: boolean;

  constructor(
    request: ServerRequest,
    method: MethodInfo,
    caller: Pick<Call, "params" | "auth" | "credential">,
    body: unknown,
    media: Media | undefined,
    wantsContent: boolean,
  ) {
    this.request = request;
    this.method = method;
    this.params = caller.params;
    this.auth = caller.auth;
    this.credential = caller.credential;
    this.body = body;
    this.media = media;
    this.wantsContent = wantsContent;
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }
}
