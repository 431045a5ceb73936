// This file is longer than 250 lines, because it contains all types that a
// generated server and the runtime share. It contains no code.

import type { Credential, Media } from "./call.js";
import type { ApiError } from "./error.js";
import type { MaybePromise } from "./maybe-promise.js";
import type { ServerOptions } from "./options.js";
import type { Incoming, Outgoing } from "./request.js";
import type { UploadSession } from "./uploads/contract.js";
import type { Int64Rule } from "../validator/contract.js";

/**
 * API definition that a generated server contains: the routes, and the runtime
 * modules that only some APIs need.
 */
export interface ApiDefinition {
  /** Name of the API, as it appears in logs. */
  readonly name: string;
  /**
   * Path prefix of all methods, without a leading slash. Must be empty or end
   * with a slash.
   */
  readonly servicePath: string;
  /**
   * Path and implementation of the batch endpoint; absent for APIs without one.
   */
  readonly batchPath?: string;
  readonly batch?: BatchFeature;
  /** Implementation of uploads; absent for APIs without upload methods. */
  readonly uploads?: UploadsFeature;
  /** Parameters that all methods share. */
  readonly parameters: ParameterDefinitions;
  readonly methods: readonly MethodDefinition[];
  /** Definitions of error bodies; absent if errors have the standard format. */
  readonly errors?: ErrorEntries;
  /** URL of the API's documentation. Error bodies contain it. */
  readonly documentation?: string;
  /** True if JSON bodies are wrapped in an object `{data: ...}`. */
  readonly wrap?: boolean;
}

/** Parameters, keyed by their names in requests. */
export type ParameterDefinitions = Readonly<
  Record<string, ParameterDefinition>
>;

/** Definition of a parameter: only the type, or the type with constraints. */
export type ParameterDefinition = string | ParameterRules;

/** Type and constraints of a parameter. */
export interface ParameterRules {
  /**
   * Type: `string`, `boolean`, `number`, `integer`, or a format such as
   * `int64`.
   */
  readonly type: string;
  readonly repeated?: boolean;
  readonly required?: boolean;
  /** Default value as a string. */
  readonly default?: string;
  readonly minimum?: string;
  readonly maximum?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  /** True if values that `enum` does not list are allowed. */
  readonly open?: boolean;
  /**
   * Additional formats of a repeated parameter: comma-separated values, or the
   * name followed by `[]`.
   */
  readonly forms?: readonly ("comma" | "brackets")[];
  /** Location of the parameter; absent for the query and the path. */
  readonly in?: "header";
}

/** Result of a validator: valid, or a list of errors. */
export type Validation =
  | { readonly valid: true }
  | { readonly valid: false; readonly errors: readonly Violation[] };

/** Error that a validator reports. */
export interface Violation {
  /** JSON pointer to the invalid value; empty for the root value. */
  readonly pointer: string;
  /** Error code, such as `required`. */
  readonly code: string;
  /**
   * Human-readable message that does not include the location, such as "must be
   * a string".
   */
  readonly message: string;
}

/**
 * Options of a validation. `ValidationOptions` in the validator runtime
 * documents their meaning.
 */
export interface ValidationSettings {
  readonly mode?: "request" | "response";
  readonly unknownFields?: "ignore" | "reject";
  readonly openEnums?: boolean;
  readonly partial?: boolean;
  readonly maxDepth?: number;
  readonly int64Numbers?: Int64Rule;
}

/** Validator function that validators.ts exports. */
export type Validate = (
  value: unknown,
  settings?: ValidationSettings,
) => Validation;

/** Definition of an API method: its routes, parameters, body and response. */
export interface MethodDefinition {
  readonly id: string;
  /**
   * Property path of the handler in the service object: names of the nested
   * resources, then the name of the method.
   */
  readonly at: readonly string[];
  /** HTTP method. Default: `GET`. */
  readonly httpMethod?: string;
  /**
   * One or more route templates relative to `servicePath`; see `parseTemplate`.
   */
  readonly route: string | readonly string[];
  readonly parameters?: ParameterDefinitions;
  /** Absent if the method has no request body. */
  readonly body?: "optional" | "required";
  /**
   * Function that reads the request body; set if the body can have any media
   * type instead of JSON.
   */
  readonly raw?: RawBodyFeature;
  /** Media types of request bodies that contain parameters. */
  readonly forms?: readonly string[];
  /** Function that validates a decoded request body. */
  readonly validate?: Validate;
  /**
   * Function that validates the response; used only if `validateResponses` is
   * set.
   */
  readonly validateResponse?: Validate;
  /** OAuth scopes, any one of which permits the call. */
  readonly scopes?: readonly string[];
  /**
   * Format of the API key or token in a header; set if the caller must send
   * one.
   */
  readonly credential?: CredentialRules;
  /** Set if the response can be a stream of server-sent events. */
  readonly stream?: StreamRules;
  readonly errors?: ErrorEntries;
  /**
   * Status of the response to invalid parameters and bodies. Invalid headers
   * always result in 400. Default: 400.
   */
  readonly invalidInput?: number;
  /**
   * Status of a successful response. Default: 200, or 204 without a response
   * body.
   */
  readonly status?: number;
  /** Settings of link pagination, if the method uses it. */
  readonly paging?: PageRules;
  /** Headers that every successful response must have. */
  readonly responseHeaders?: readonly string[];
  /** True if the response has a body. */
  readonly hasResponse?: boolean;
  /**
   * True if the content can be downloaded with `alt=media`; `service` if it can
   * also be downloaded at a path below `/download`.
   */
  readonly download?: boolean | "service";
  readonly upload?: UploadRules;
}

/** Format of an API key or token in a header. */
export interface CredentialRules {
  /** Name of the header. */
  readonly header: string;
  /**
   * Allowed authentication schemes, case-insensitive; undefined if the header
   * value consists of the key or token alone.
   */
  readonly schemes?: readonly string[];
}

/**
 * Names of the query parameters and of the response header for link pagination.
 */
export interface PageRules {
  /**
   * Query parameter with the page number. The parameter's default value is the
   * number of the first page.
   */
  readonly page: string;
  /** Query parameter with the number of items per page. */
  readonly size: string;
  readonly link: string;
}

/**
 * Rules for a response that can be a stream of events: when the response is a
 * stream, and how the stream ends.
 */
export interface StreamRules {
  /**
   * Members that must be in the request body, with these values, to request a
   * stream.
   */
  readonly when: Readonly<Record<string, unknown>>;
  /**
   * Data of the last event in a stream; undefined if a stream has no such
   * event.
   */
  readonly end?: string;
}

/** Routes and limits of a method's uploads. */
export interface UploadRules {
  /** Distinct upload route templates, relative to the root of the server. */
  readonly routes: readonly string[];
  /** Accepted media ranges such as `image/*`; absent if all are accepted. */
  readonly accept?: readonly string[];
  /** Maximum size of an upload in bytes. */
  readonly maxSize?: number;
}

/** Server options that apply to batch requests. */
export type BatchOptions = Pick<ServerOptions, "limits" | "authenticateBatch">;
/**
 * Function that handles batch requests. It is implemented by `batch` in
 * batch.ts, which is imported only by servers whose API has a batch path.
 */
export type BatchFeature = (
  request: Incoming,
  options: BatchOptions,
  handle: (request: Incoming) => MaybePromise<Outgoing>,
  fail: (error: ApiError) => Outgoing,
) => Promise<Outgoing>;

/**
 * Function that reads a body of any media type. It is implemented by `rawBody`
 * in raw-body.ts.
 */
export type RawBodyFeature = (
  request: Incoming,
  options: ServerOptions,
) => Media;

/** Request, and callbacks that the implementation of uploads calls. */
export interface UploadContext {
  readonly request: Incoming;
  readonly method: MethodDefinition;
  /** Query parameters, keyed by name, as the caller sent them. */
  readonly query: ReadonlyMap<string, string>;
  readonly options: ServerOptions;
  /** Checks the parameters and authenticates the caller. */
  prepare(): Promise<PreparedCall>;
  /** Calls the handler of the method with the uploaded content. */
  invoke(
    prepared: PreparedCall,
    body: unknown,
    media: Media | undefined,
  ): Promise<Outgoing>;
  /**
   * Calls the handler for a resumable upload that an earlier request started.
   */
  readonly resume: ResumeUpload;
}

/**
 * Call whose parameters have been checked and whose caller has been
 * authenticated.
 */
export interface PreparedCall {
  readonly params: Readonly<Record<string, unknown>>;
  readonly auth: unknown;
  readonly credential: Credential | undefined;
  readonly form: { readonly fields?: unknown; readonly prettyPrint?: unknown };
}

/**
 * Function that calls the handler for an upload session with the uploaded
 * content.
 */
export type ResumeUpload = (
  session: UploadSession,
  media: Media,
) => Promise<Outgoing>;

/**
 * Function that handles upload requests. It is implemented by `uploads` in
 * uploads.ts.
 */
export type UploadsFeature = (context: UploadContext) => Promise<Outgoing>;

/**
 * Definition of the error body for one HTTP status (`x-errors` in the API
 * description).
 */
export interface ErrorEntry {
  /**
   * Template of the body. Strings such as `{message}` are replaced by
   * properties of the error.
   */
  readonly body?: unknown;
  /** Default message of an error. */
  readonly message?: string;
  /** Default reason of an error. */
  readonly reason?: string;
  /** Default code of an error. */
  readonly code?: string;
  /**
   * JSON pointers of members that are `null`, instead of being omitted, if the
   * error has no value for them.
   */
  readonly nullable?: readonly string[];
  /** JSON pointers of members whose values are formatted as numbers. */
  readonly numbers?: readonly string[];
}

/** Definitions of error bodies, keyed by HTTP status or `default`. */
export type ErrorEntries = Readonly<Record<string, ErrorEntry>>;
