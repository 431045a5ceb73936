/* eslint-disable */
// biome-ignore-all lint: generated

import type { Feature, Invocation } from "./call.js";
import type { Envelope } from "./envelope.js";
import type { Attempt } from "./execute.js";
import type { HeadersLike } from "./headers.js";
import type { ApiRequest } from "./request.js";

/**
 * What is true of a whole API: where it lives and how it encodes.
 * Generated once per API from the head of its description.
 */
export interface Service {
  /** Absolute URL below which everything lives (document field `rootUrl`). */
  readonly rootUrl: string;
  /** Path of the methods below `rootUrl`; may be empty (`servicePath`). */
  readonly servicePath: string;
  /** Path of the batch endpoint below `rootUrl` (`batchPath`). */
  readonly batchPath?: string;
  /** Maximum number of calls in a batch, where the server takes fewer than 100. */
  readonly batchSize?: number;
  /**
   * Encodes the value of a `{+variable}` in a path: `keepReserved`, for APIs
   * without `fullyEncodeReservedExpansion`. Default: everything is encoded but
   * unreserved characters and `/`.
   */
  readonly keepReserved?: (text: string) => string;
  /** Envelope around every JSON body, see `dataWrapper` (`features`). */
  readonly wrap?: Wrap;
  /**
   * `rootUrl` for clients that present a certificate (`mtlsRootUrl`). Default:
   * `rootUrl` with `mtls.` before `googleapis.com`.
   */
  readonly mtlsRootUrl?: string;
  /** Root URLs by location (`endpoints`). */
  readonly endpoints?: Readonly<Record<string, string>>;
}

/** Makes attempts until one succeeds or no other may be made. */
export type Retry = <T>(
  attempt: Attempt<T>,
  request: ApiRequest,
  call: Invocation,
) => Promise<T>;

/** An envelope that an API puts around its request and response bodies. */
export interface Wrap {
  /** Puts a request body into the envelope. */
  encode(body: unknown): unknown;
  /** Takes a response body out of the envelope. */
  decode(body: unknown): unknown;
}

/** The body of a request and the headers that describe it. */
export interface Payload {
  /** What is sent. */
  readonly body: NonNullable<RequestInit["body"]>;
  /** Such as `content-type`. */
  readonly headers: HeadersLike;
  /** `half` for a body that is a stream, which can be sent but once. */
  readonly duplex?: "half";
}

/** Looks up the value of a template variable; `undefined`: not given. */
export type Lookup = (name: string) => unknown;

/** Expands the path of a method, according to its service. */
export type Expand = (
  template: string,
  lookup: Lookup,
  service: Service,
) => string;

/** Reads the body of an answer that is an error, whose status it is given. */
export type ReadError = (text: string, status: number) => Envelope;

/** All that the runtime knows of one method; data, a few dozen bytes. */
export interface Descriptor {
  /** The method's id in the description, such as `drive.files.get`. */
  readonly id: string;
  /** HTTP method (document field `httpMethod`). Default: `GET`. */
  readonly verb?: string;
  /**
   * URI template of the path. With a leading `/` it is relative to `rootUrl`
   * (as upload paths are), without one to `rootUrl` + `servicePath`.
   */
  readonly path: string;
  /**
   * Names in the query of parameters whose property is called otherwise,
   * because `requestBody` and `media` have a meaning of their own. (Variables
   * of `path` are called as the properties are.)
   */
  readonly names?: Readonly<Record<string, string>>;
  /**
   * Expands what `{v}` and `{+v}` do not cover; `expandTemplate`, given only
   * for templates that need it.
   */
  readonly expand?: Expand;
  /** Encodes what the call sends; `jsonBody`, for methods with a `request`. */
  readonly body?: (call: Invocation) => Payload | undefined;
  /** Headers of the method, such as `x-goog-api-version` (`apiVersion`). */
  readonly headers?: HeadersLike;
  /** Reads the bodies of errors that have the form of the description. */
  readonly errors?: ReadError;
  /** What the call object can do beyond being awaited. */
  readonly use?: readonly Feature[];
}
