import type { Content } from "./content.js";
import type { Credential } from "./options.js";
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

/** An answer with a status or headers of its own; made by {@link reply}. */
export class Reply<T> {
  readonly value: T;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: string | Uint8Array | undefined;

  constructor(
    value: T,
    status: number | undefined,
    headers: Readonly<Record<string, string>>,
    json?: string | Uint8Array,
  ) {
    this.value = value;
    this.status = status;
    this.headers = headers;
    this.json = json;
  }
}

/** Answers with a value and a status or headers of one's own. */
export function reply<T>(
  value: T,
  {
    status,
    headers = {},
    json,
  }: {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    /**
     * The value as JSON, where that is at hand: sent as it is, unless the
     * caller asks for some of its fields or another form.
     */
    readonly json?: string | Uint8Array | undefined;
  } = {},
): Reply<T> {
  return new Reply(value, status, headers, json);
}

/** What a handler may return for a method that answers with `T`. */
export type Answer<T> = T | Reply<T> | Promise<T | Reply<T>>;

/** The same for a method whose content can be downloaded. */
export type DownloadAnswer<T> = Answer<T | Content>;

/**
 * What answers the calls of a method.
 *
 * @typeParam P decoded parameters.
 * @typeParam B decoded body.
 * @typeParam R what it answers with.
 * @typeParam A what `authenticate` gave.
 */
export type Handler<P, B, R, A> = (call: Call<P, B, A>) => Answer<R>;

/** The same for a method whose content can be downloaded. */
export type DownloadHandler<P, B, R, A> = (
  call: Call<P, B, A>,
) => DownloadAnswer<R>;

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
