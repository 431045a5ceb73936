/*
 * Types that the modules of this folder share. They refer to one another (a
 * client makes calls, a call has a client), and so have a file of their own:
 * the modules import it and not each other.
 */
import type { Envelope } from "./envelope.js";
import type { ErrorFacts } from "./error.js";
import type { HeadersLike } from "./headers.js";
import type { CallOptions, ClientOptions } from "./options.js";
import type { ApiRequest } from "./request.js";
import type { Expand, Service } from "./service.js";

/** An API and the settings to call it with. */
export interface Client {
  /** The API. */
  readonly service: Service;
  /** The settings that the client was made with. */
  readonly options: ClientOptions;
  /** Makes one or more attempts for a call. */
  readonly retry: Retry;
  /**
   * Runs a task within the timeout of a call.
   *
   * @param keep `true` to keep the signal connected after the task, because a
   *   body is still being read.
   * @throws ApiError (as rejection) for any failure.
   */
  withTimeout<T>(
    call: Invocation,
    task: TimedTask<T>,
    keep?: boolean,
  ): Promise<T>;
  /**
   * Makes one attempt and resolves to the response if its status is 2xx.
   *
   * @throws ApiError of kind `http` for any other status.
   */
  send(request: ApiRequest, call: Invocation): Promise<Response>;
}

/**
 * Task of a call. The signal aborts it; `null`: no signal and no timeout. It
 * updates `facts` as it proceeds, for the error of a failure.
 */
export type TimedTask<T> = (
  signal: AbortSignal | null,
  facts: ErrorFacts,
) => Promise<T>;

/** Makes an attempt with a request or a modified copy. */
export type Attempt<T> = (request: ApiRequest) => Promise<T>;

/** Makes attempts until one succeeds or no further one is allowed. */
export type Retry = <T>(
  attempt: Attempt<T>,
  request: ApiRequest,
  call: Invocation,
) => Promise<T>;

/** Description of one method: data of a few dozen bytes. */
export interface Descriptor {
  /** Id of the method in the description, such as `drive.files.get`. */
  readonly id: string;
  /** HTTP method (document field `httpMethod`). Default: `GET`. */
  readonly verb?: string;
  /**
   * URI template of the path. With a leading `/` it is relative to `rootUrl`,
   * as upload paths are; without one, to `rootUrl` + `servicePath`.
   */
  readonly path: string;
  /**
   * Wire name by property, for query parameters that are renamed because
   * `requestBody` and `media` have a meaning of their own. Variables of `path`
   * have the names of the properties.
   */
  readonly names?: Readonly<Record<string, string>>;
  /**
   * Expands templates with more than `{v}` and `{+v}`: `expandTemplate`. Only
   * in methods that need it, to keep bundles small.
   */
  readonly expand?: Expand;
  /** Encodes the request body; `jsonBody`, for methods with a `request`. */
  readonly body?: (call: Invocation) => Payload | undefined;
  /** Headers of the method, such as `x-goog-api-version` (`apiVersion`). */
  readonly headers?: HeadersLike;
  /** Reads the bodies of errors whose form the document describes. */
  readonly errors?: ReadError;
  /** Features of the call object. */
  readonly use?: readonly Feature[];
}

/** Body of a request, with the headers that describe it. */
export interface Payload {
  /** The body for `fetch`. */
  readonly body: NonNullable<RequestInit["body"]>;
  /** Headers such as `content-type`. */
  readonly headers: HeadersLike;
  /** `half` for a stream, which can be sent only once. */
  readonly duplex?: "half";
}

/** Reads the body of an error response. */
export type ReadError = (text: string, status: number) => Envelope;

/** Value of a call, with its response. */
export interface CallResult<T> {
  /** The value. */
  readonly data: T;
  /** Status and headers. */
  readonly response: Response;
}

/** Type-only key of a call object's shape, for selected-call.ts. */
export declare const SHAPE: unique symbol;

/**
 * A call in flight: a promise of its value. The request is sent in the next
 * microtask, awaited or not, unless a modifier has chosen another form by then.
 *
 * @throws ApiError (as rejection) for any failure.
 */
export interface Call<T> extends Promise<T> {
  /** Exists in types only. */
  readonly [SHAPE]?: { value: T };
  /**
   * Returns the value with its response, for status and headers; the body has
   * been read. Sends no second request.
   */
  withResponse(): Promise<CallResult<T>>;
}

/** Input of one call. */
export interface Invocation {
  /** The API and its settings. */
  readonly client: Client;
  /** The method. */
  readonly descriptor: Descriptor;
  /** A copy of the caller's parameters. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The caller's settings for this call. */
  readonly options: CallOptions;
  /** Parameters that request the media. Default: `alt=media`. */
  readonly media?: object;
}

/** Sends a call: alone, or as a part of a batch. */
export type Run = (invocation: Invocation) => Promise<CallResult<unknown>>;

/** The call object for features and batches. */
export interface PendingCall extends Call<unknown> {
  /** Set to `true` to keep the call from starting by itself. */
  taken: boolean;
  /**
   * Starts the call once; later calls return the same promise, whatever their
   * `run`. Features may replace this method to change the default `run`.
   */
  start(run?: Run): Promise<CallResult<unknown>>;
}

/**
 * Returns members that a call object has beyond those of {@link Call}. It may
 * change the invocation, a copy for this call; later features get the changes.
 */
export type Feature = (call: PendingCall, invocation: Invocation) => object;
