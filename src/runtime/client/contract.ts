/*
 * Types that the modules of this folder share. The modules import this file
 * instead of each other. The types are in a single file because they refer to
 * each other: for example, a client has functions that send calls, and a call
 * refers to its client.
 */
import type { Envelope } from "./error.js";
import type { ErrorContext } from "./error.js";
import type { HeadersLike } from "./headers.js";
import type { CallOptions, ClientOptions } from "./options.js";
import type { ApiRequest } from "./request.js";

/** Client of an API: the URLs of the API and the settings for calling it. */
export interface Client {
  /** The API. */
  readonly service: Service;
  /** Settings passed when the client was created. */
  readonly options: ClientOptions;
  /** Client of the batches of this client, if the two differ. */
  readonly base?: Client;
  /**
   * Makes attempts for a call until one succeeds or no further attempt is
   * allowed.
   */
  readonly retry: Retry;
  /**
   * Runs an asynchronous function within the timeout of a call.
   *
   * @param keep `true` to keep the signal connected after the function has
   *   finished, because a body is still being read.
   * @param attempt properties of the call's error. Present if the function makes
   *   a single attempt, after which the call can be retried.
   * @throws ApiError (as a rejection) for any failure.
   */
  withTimeout<T>(
    call: Invocation,
    task: TimedTask<T>,
    keep?: boolean,
    attempt?: ErrorContext,
  ): Promise<T>;
  /**
   * Makes one attempt. Resolves to the response if the status is 2xx.
   *
   * @throws ApiError of kind `http` for any other status.
   */
  send(request: ApiRequest, call: Invocation): Promise<Response>;
}

/**
 * Asynchronous function that `withTimeout` runs for a call. `signal` aborts the
 * function, and is `null` if the call has neither a signal nor a timeout. While
 * the function runs, it updates `context`, which become properties of the error
 * if the call fails.
 */
export type TimedTask<T> = (
  signal: AbortSignal | null,
  context: ErrorContext,
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
 * Properties of an API method that are needed to call it. Descriptors are
 * small, because a bundle contains a descriptor for each method that it uses.
 */
export interface Descriptor {
  /** ID of the method in the API description, such as `drive.files.get`. */
  readonly id: string;
  /** HTTP method (`httpMethod` in the API description). Default: `GET`. */
  readonly httpMethod?: string;
  /**
   * URI template of the path. A path with a leading `/`, such as an upload
   * path, is relative to `rootUrl`. Any other path is relative to `rootUrl` +
   * `servicePath`.
   */
  readonly path: string;
  /**
   * Names of query parameters in the URL, keyed by TypeScript property.
   * Contains only parameters whose property has a different name. For example,
   * the properties `requestBody` and `media` are reserved, so parameters with
   * these names are renamed. Also contains declared parameters that are called
   * `auth`, `headers` or `resource`: other methods reject these names.
   */
  readonly names?: Readonly<Record<string, string>>;
  /**
   * Expands path templates with expressions other than `{v}` and `{+v}`
   * (`expandTemplate`). Set only for methods that need it, to keep bundles
   * small.
   */
  readonly expand?: Expand;
  /**
   * Function that encodes the request body: `jsonBody` for methods with a
   * `request` in the API description.
   */
  readonly body?: (call: Invocation) => Payload | undefined;
  /**
   * Headers of the method, such as `x-goog-api-version` (`apiVersion` in the
   * API description).
   */
  readonly headers?: HeadersLike;
  /**
   * Function that parses error bodies in the form that the API description
   * defines.
   */
  readonly errors?: ReadError;
  /**
   * Features: functions that add members such as `pages()` to the object that
   * represents a call.
   */
  readonly use?: readonly Feature[];
}

/** Body of a request, and the headers that describe the body. */
export interface Payload {
  /** Body to pass to `fetch`. */
  readonly body: NonNullable<RequestInit["body"]>;
  /** Headers such as `content-type`. */
  readonly headers: HeadersLike;
  /** `half` if the body is a stream. A stream can be sent only once. */
  readonly duplex?: "half";
}

/** Reads the body of an error response. */
export type ReadError = (text: string, status: number) => Envelope;

/** Result of a call: the value and the response. */
export interface CallResult<T> {
  /** Value to which the call resolves. */
  readonly data: T;
  /** Status and headers of the response. */
  readonly response: Response;
}

/**
 * Key of a type-only property, from which selected-call.ts infers the kind of a
 * call.
 */
export declare const SHAPE: unique symbol;

/**
 * Promise of the result of a call. The request is sent in the next microtask,
 * even if nothing awaits the promise. If a method such as `media()` is called
 * before the next microtask, this request is not sent.
 *
 * @throws ApiError (as a rejection) for any failure.
 */
export interface Call<T> extends Promise<T> {
  /** Used only for type inference; absent at run time. */
  readonly [SHAPE]?: { value: T };
  /**
   * Resolves to the value and the response. The response contains the status
   * and headers, and its body has already been read. No additional request is
   * sent.
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
  /** Advice in the error message for a response that is not JSON. */
  readonly hint?: string;
}

/** Function that sends a call, either alone or as part of a batch. */
export type Run = (invocation: Invocation) => Promise<CallResult<unknown>>;

/**
 * Call with additional members. Only batches and functions of type `Feature` use
 * them.
 */
export interface PendingCall extends Call<unknown> {
  /** Set to `true` to prevent the call from starting automatically. */
  taken: boolean;
  /**
   * Starts the call. Only the first invocation has an effect; later invocations
   * ignore `run` and return the same promise. Features can replace this method
   * to change the default value of `run`.
   */
  start(run?: Run): Promise<CallResult<unknown>>;
}

/**
 * Function that adds a feature to a call. The returned members are added to the
 * object that represents the call. The function can change the invocation,
 * which is a copy for this call; later features receive the changed invocation.
 */
export type Feature = (call: PendingCall, invocation: Invocation) => object;

/**
 * Settings of an API: its URLs and encodings. They are generated from the
 * top-level fields of the API description.
 */
export interface Service {
  /** Absolute URL of the server (`rootUrl` in the API description). */
  readonly rootUrl: string;
  /**
   * Path that precedes the paths of methods, relative to `rootUrl`
   * (`servicePath` in the API description). Can be empty.
   */
  readonly servicePath: string;
  /**
   * Path of the batch endpoint, relative to `rootUrl` (`batchPath` in the API
   * description).
   */
  readonly batchPath?: string;
  /** Maximum number of calls in a batch. Default: 100. */
  readonly batchSize?: number;
  /**
   * Function that encodes the value of a `{+variable}` in a path:
   * `keepReserved` for APIs without `fullyEncodeReservedExpansion`. Default:
   * encodes all characters except unreserved characters and `/`.
   */
  readonly keepReserved?: (text: string) => string;
  /**
   * Envelope of all JSON bodies. Set if `features` in the API description
   * contains `dataWrapper`.
   */
  readonly wrap?: Wrap;
  /**
   * Root URL for clients that present a certificate (`mtlsRootUrl` in the API
   * description). Default: `rootUrl` with `mtls.` before `googleapis.com`.
   */
  readonly mtlsRootUrl?: string;
  /** Root URLs, keyed by location (`endpoints` in the API description). */
  readonly endpoints?: Readonly<Record<string, string>>;
}

/** Envelope of an API's request and response bodies. */
export interface Wrap {
  /** Adds the envelope to a request body. */
  encode(body: unknown): unknown;
  /** Removes the envelope from a response body. */
  decode(body: unknown): unknown;
}

/**
 * Function that returns the value of a template variable; `undefined` if the
 * variable has no value.
 */
export type Lookup = (name: string) => unknown;

/** Function that expands a method's path template to a path. */
export type Expand = (
  template: string,
  lookup: Lookup,
  service: Service,
) => string;
