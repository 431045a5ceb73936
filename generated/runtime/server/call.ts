/* eslint-disable */
// biome-ignore-all lint: generated

import type { Content } from "./content.js";
import type { HeaderValue } from "./headers.js";
import type { Page } from "./page.js";
import type { ServerRequest } from "./request.js";

/** What hooks and handlers know of the method at hand. */
export interface MethodInfo {
  /** Id in the description, such as `drive.files.get`. */
  readonly id: string;
  /** HTTP method of the description. */
  readonly verb: string;
  /** OAuth scopes, any one of which is enough; none: no credential is needed. */
  readonly scopes: readonly string[];
}

/** A credential as the caller sent it. */
export interface Credential {
  /** In lower case, such as `bearer`; empty for a bare value. */
  readonly scheme: string;
  readonly token: string;
}

/** Content that a caller uploads. */
export interface Media {
  /** Media type as the caller says; `application/octet-stream` if nothing is said. */
  readonly contentType: string;
  /** In bytes, where it is known before the end. */
  readonly size?: number | undefined;
  /** The content piece by piece, once. Breaks off with an error if the upload does. */
  chunks(): AsyncIterable<Uint8Array>;
  /** All of it at once. */
  bytes(): Promise<Uint8Array>;
}

/**
 * What a handler is given.
 *
 * @typeParam P decoded parameters.
 * @typeParam B decoded body; `undefined` for methods without one.
 * @typeParam A what `authenticate` gave.
 */
export interface Call<P = unknown, B = unknown, A = unknown> {
  readonly params: P;
  readonly body: B;
  readonly auth: A;
  /** The caller's key or token as it was sent, where the API has one in a header. */
  readonly credential: Credential | undefined;
  readonly request: ServerRequest;
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal;
  readonly method: MethodInfo;
  /** The uploaded content, for methods that take uploads. */
  readonly media: Media | undefined;
  /** Whether the caller wants the content (`alt=media`) and not what describes it. */
  readonly wantsContent: boolean;
}

/** Headers of which nothing is known. */
export type NoHeaders = Record<never, never>;

/**
 * An answer with a status or headers of its own; made by {@link reply}.
 *
 * @typeParam H headers by name.
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

/** What of an answer is one's own, besides headers. */
interface ReplyOptions {
  readonly status?: number;
  /**
   * The value as JSON, where that is at hand: sent as it is, unless the caller
   * asks for some of its fields or another form.
   */
  readonly json?: string | Uint8Array | undefined;
}

/** Answers with a value and a status of one's own. */
export function reply<T>(value: T, parts?: ReplyOptions): Reply<T>;
/** Answers with a value, headers and maybe a status of one's own. Headers that the description has are typed by it; names may be in any case. */
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

/** What a handler may return at once; the value alone only where no header has to be set. */
export type HandlerValue<T, H extends object> = NoHeaders extends H
  ? T | Reply<T, H>
  : Reply<T, H>;

/**
 * What a handler may return for a method that answers with `T`.
 *
 * @typeParam H headers of the answer that the description has.
 */
export type HandlerResult<T, H extends object = NoHeaders> =
  HandlerValue<T, H> | Promise<HandlerValue<T, H>>;

/** The same for a method whose content can be downloaded. */
export type DownloadResult<T, H extends object = NoHeaders> = HandlerResult<
  T | Content,
  H
>;

/** The same for a method whose pages are linked; see {@link page}. */
export type PagedResult<T, H extends object = NoHeaders> = HandlerResult<
  T | Page<T>,
  H
>;

/**
 * What answers the calls of a method.
 *
 * @typeParam P decoded parameters.
 * @typeParam B decoded body.
 * @typeParam R what it answers with.
 * @typeParam A what `authenticate` gave.
 * @typeParam H headers of the answer that the description has.
 */
export type Handler<P, B, R, A, H extends object = NoHeaders> = (
  call: Call<P, B, A>,
) => HandlerResult<R, H>;

/** The same for a method whose content can be downloaded. */
export type DownloadHandler<P, B, R, A, H extends object = NoHeaders> = (
  call: Call<P, B, A>,
) => DownloadResult<R, H>;

/** The same for a method whose pages are linked. */
export type PagedHandler<P, B, R, A, H extends object = NoHeaders> = (
  call: Call<P, B, A>,
) => PagedResult<R, H>;

/** A handler as the runtime sees it. */
export type AnyHandler = (call: Call) => unknown;

/** The one implementation of {@link Call}; a class, so that `signal` costs nothing unless it is used. */
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
