/* eslint-disable */
// biome-ignore-all lint: generated

/*
 * Types that the modules of this folder share. They are in a single file
 * because they refer to each other: a client sends calls, and a call has a
 * client. The modules import this file instead of each other.
 */
import type { Envelope } from "./envelope.js";
import type { ErrorFacts } from "./error.js";
import type { HeadersLike } from "./headers.js";
import type { CallOptions, ClientOptions } from "./options.js";
import type { ApiRequest } from "./request.js";
import type { Expand, Service } from "./service.js";

/** Client of an API: the API and the settings for calling it. */
export interface Client {
  /** The API. */
  readonly service: Service;
  /** Settings passed when the client was created. */
  readonly options: ClientOptions;
  /**
   * Makes attempts for a call until one succeeds or no further attempt is
   * allowed.
   */
  readonly retry: Retry;
  /**
   * Runs a task within the timeout of a call.
   *
   * @param keep `true` to keep the signal connected after the task, because a
   *   body is still being read.
   * @param attempt error properties of the call, if the task is only one
   *   attempt of a call.
   * @throws ApiError (as rejection) for any failure.
   */
  withTimeout<T>(
    call: Invocation,
    task: TimedTask<T>,
    keep?: boolean,
    attempt?: ErrorFacts,
  ): Promise<T>;
  /**
   * Makes one attempt and resolves to the response if its status is 2xx.
   *
   * @throws ApiError of kind `http` for any other status.
   */
  send(request: ApiRequest, call: Invocation): Promise<Response>;
}

/**
 * Asynchronous function that `withTimeout` runs for a call. `signal` aborts it,
 * and is `null` if the call has neither a signal nor a timeout. While it runs,
 * it updates `facts`, which are added to the error if the call fails.
 */
export type TimedTask<T> = (
  signal: AbortSignal | null,
  facts: ErrorFacts,
) => Promise<T>;

/**
 * Function that makes one attempt, with the original request or a modified
 * copy.
 */
export type Attempt<T> = (request: ApiRequest) => Promise<T>;

/**
 * Function that makes attempts until one succeeds or no further attempt is
 * allowed.
 */
export type Retry = <T>(
  attempt: Attempt<T>,
  request: ApiRequest,
  call: Invocation,
) => Promise<T>;

/**
 * Description of a method. It has only a few dozen bytes, because a bundle
 * contains a descriptor for each of its methods.
 */
export interface Descriptor {
  /** Id of the method in the description, such as `drive.files.get`. */
  readonly id: string;
  /** HTTP method (document field `httpMethod`). Default: `GET`. */
  readonly verb?: string;
  /**
   * URI template of the path. A path with a leading `/`, such as an upload
   * path, is relative to `rootUrl`; any other path is relative to `rootUrl` +
   * `servicePath`.
   */
  readonly path: string;
  /**
   * Names of query parameters in the URL, by property name. Only parameters
   * that were renamed are listed, because the properties `requestBody` and
   * `media` are reserved. Variables of `path` have the names of the properties.
   */
  readonly names?: Readonly<Record<string, string>>;
  /**
   * Expands path templates with expressions other than `{v}` and `{+v}`
   * (`expandTemplate`). Set only for methods that need it, to keep bundles
   * small.
   */
  readonly expand?: Expand;
  /**
   * Encodes the request body. It is `jsonBody` for methods with the document
   * field `request`.
   */
  readonly body?: (call: Invocation) => Payload | undefined;
  /** Headers of the method, such as `x-goog-api-version` (`apiVersion`). */
  readonly headers?: HeadersLike;
  /** Parses error bodies in the form that the document describes. */
  readonly errors?: ReadError;
  /** Features that add members to the call object, such as `pages()`. */
  readonly use?: readonly Feature[];
}

/** Body of a request, and the headers that describe the body. */
export interface Payload {
  /** Body to pass to `fetch`. */
  readonly body: NonNullable<RequestInit["body"]>;
  /** Headers such as `content-type`. */
  readonly headers: HeadersLike;
  /** `half` if the body is a stream, which can be sent only once. */
  readonly duplex?: "half";
}

/** Reads the body of an error response. */
export type ReadError = (text: string, status: number) => Envelope;

/** Value of a call, with its response. */
export interface CallResult<T> {
  /** Value of the call. */
  readonly data: T;
  /** Status and headers of the response. */
  readonly response: Response;
}

/**
 * Key, for type inference only, of the member that describes a call object;
 * used by selected-call.ts.
 */
export declare const SHAPE: unique symbol;

/**
 * Promise of the value of a call. The request is sent in the next microtask,
 * even if the promise is not awaited, unless a method such as `media()` has
 * been called before.
 *
 * @throws ApiError (as rejection) for any failure.
 */
export interface Call<T> extends Promise<T> {
  /** Member for type inference; absent at run time. */
  readonly [SHAPE]?: { value: T };
  /**
   * Resolves to the value and the response, which contains the status and
   * headers. The body of the response has already been read. No second request
   * is sent.
   */
  withResponse(): Promise<CallResult<T>>;
}

/** Arguments of one call. */
export interface Invocation {
  /** Client that sends the call. */
  readonly client: Client;
  /** Description of the method to call. */
  readonly descriptor: Descriptor;
  /** Copy of the caller's parameters. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The caller's settings for this call. */
  readonly options: CallOptions;
  /**
   * Query parameters that request media instead of metadata. Default:
   * `alt=media`.
   */
  readonly media?: object;
}

/** Function that sends a call, either alone or as part of a batch. */
export type Run = (invocation: Invocation) => Promise<CallResult<unknown>>;

/** Call object with the members that features and batches use. */
export interface PendingCall extends Call<unknown> {
  /** Set to `true` to prevent the call from starting automatically. */
  taken: boolean;
  /**
   * Starts the call. Only the first invocation has an effect; later invocations
   * ignore `run` and return the same promise. Features can replace this method
   * to change the default `run`.
   */
  start(run?: Run): Promise<CallResult<unknown>>;
}

/**
 * Function that returns the members that a feature adds to a call object. The
 * feature can change the invocation, which is a copy for this call; later
 * features receive the changed invocation.
 */
export type Feature = (call: PendingCall, invocation: Invocation) => object;
