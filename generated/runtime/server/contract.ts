/* eslint-disable */
// biome-ignore-all lint: generated

import type { Credential, Media } from "./call.js";
import type { ApiError } from "./error.js";
import type { MaybePromise } from "./maybe-promise.js";
import type { ServerOptions } from "./options.js";
import type { Incoming, Outgoing } from "./request.js";
import type { UploadSession } from "./uploads/contract.js";
import type { Int64Rule } from "../validator/contract.js";

/**
 * Definition of an API as printed into its generated server: the route table,
 * and the optional features of the runtime that the API uses.
 */
export interface ApiDefinition {
  /** Name of the API, for logs. */
  readonly name: string;
  /**
   * Path of all methods without a leading slash; empty or with a trailing
   * slash.
   */
  readonly servicePath: string;
  /** Path of the batch endpoint, if any, and its implementation. */
  readonly batchPath?: string;
  readonly batch?: BatchFeature;
  /** Implementation of uploads, for APIs with upload methods. */
  readonly uploads?: UploadsFeature;
  /** OAuth scopes; methods refer to them by index. */
  readonly scopes?: readonly string[];
  /** Parameters of all methods. */
  readonly parameters: ParameterDefinitions;
  readonly methods: readonly MethodDefinition[];
  /** Error bodies, if they differ from the standard envelope. */
  readonly errors?: ErrorEntries;
  /** URL of the API's documentation, for error bodies. */
  readonly documentation?: string;
  /** True if bodies are wrapped in `{data: ...}`. */
  readonly wrap?: boolean;
}

/** Parameters by wire name. */
export type ParameterDefinitions = Readonly<
  Record<string, ParameterDefinition>
>;

/** Parameter: its type, or its type with constraints. */
export type ParameterDefinition = string | ParameterRules;

/** Type and constraints of a parameter. */
export interface ParameterRules {
  /** `string`, `boolean`, `number`, `integer`, or a format such as `int64`. */
  readonly type: string;
  readonly repeated?: boolean;
  readonly required?: boolean;
  /** Value of an absent parameter, as text. */
  readonly default?: string;
  readonly minimum?: string;
  readonly maximum?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  /** True if values besides those of `enum` are allowed. */
  readonly open?: boolean;
  /** Additional formats for several values: comma-separated, or `name[]`. */
  readonly forms?: readonly ("comma" | "brackets")[];
  /** Location, if not the query or path. */
  readonly in?: "header";
}

/** Result of a validator. */
export type Validation =
  | { readonly valid: true }
  | { readonly valid: false; readonly errors: readonly Violation[] };

/** One error in a validated value. */
export interface Violation {
  /** JSON pointer to the invalid value; empty for the root. */
  readonly pointer: string;
  /** Error class, such as `required`. */
  readonly code: string;
  /** Message for people without the location: "must be a string". */
  readonly message: string;
}

/** Options of a validator; see `ValidationOptions` of the validator runtime. */
export interface ValidationSettings {
  readonly mode?: "request" | "response";
  readonly unknownFields?: "ignore" | "reject";
  readonly openEnums?: boolean;
  readonly partial?: boolean;
  readonly maxDepth?: number;
  readonly int64Numbers?: Int64Rule;
}

/** Validator function of validators.ts. */
export type Validate = (
  value: unknown,
  settings?: ValidationSettings,
) => Validation;

/** Route and rules of a method. */
export interface MethodDefinition {
  readonly id: string;
  /**
   * Property path of its handler in the service: resources from the root, then
   * the method's name.
   */
  readonly at: readonly string[];
  /** HTTP method; `GET` if absent. */
  readonly verb?: string;
  /** One or more route templates below `servicePath`; see `parseTemplate`. */
  readonly route: string | readonly string[];
  readonly parameters?: ParameterDefinitions;
  /** Absent if the method has no request body. */
  readonly body?: "optional" | "required";
  /** Reads the body, if it is content of any media type instead of JSON. */
  readonly raw?: RawBodyFeature;
  /** Media types of request bodies that contain parameters. */
  readonly forms?: readonly string[];
  /** Validates a decoded request body. */
  readonly validate?: Validate;
  /** Validates the response, if `validateAnswers` is set. */
  readonly validateResponse?: Validate;
  /** Indices into `ApiDefinition.scopes`. */
  readonly scopes?: readonly number[];
  /** Set if the caller's key or token must be sent in a header. */
  readonly credential?: CredentialRules;
  /** Set if the response can be a stream of events. */
  readonly stream?: StreamRules;
  readonly errors?: ErrorEntries;
  /**
   * Status for invalid parameters and bodies; invalid headers are 400. Default:
   * 400.
   */
  readonly invalidInput?: number;
  /** Success status; default 200, or 204 without a response body. */
  readonly status?: number;
  /** Rules of link pagination. */
  readonly paging?: PageRules;
  /** Headers that every success response must have. */
  readonly responseHeaders?: readonly string[];
  /** True if the response has a body. */
  readonly hasResponse?: boolean;
  /**
   * True if the content can be downloaded with `alt=media`; `service` if also
   * below `/download`.
   */
  readonly download?: boolean | "service";
  readonly upload?: UploadRules;
}

/** Format of a key or token in a header. */
export interface CredentialRules {
  /** Name of the header. */
  readonly header: string;
  /**
   * Allowed authentication schemes, case-insensitive; absent if the value has
   * no scheme.
   */
  readonly schemes?: readonly string[];
}

/** Link pagination: two query parameters and the response header. */
export interface PageRules {
  /** Page number; the first page is the parameter's default. */
  readonly page: string;
  /** Number of items per page. */
  readonly size: string;
  readonly link: string;
}

/** Condition for a stream of events, and its last event. */
export interface StreamRules {
  /** Body members and the values that request a stream. */
  readonly when: Readonly<Record<string, unknown>>;
  /** Data of the last event. */
  readonly end?: string;
}

/** Rules of a method's uploads. */
export interface UploadRules {
  /** Distinct route templates below the root. */
  readonly routes: readonly string[];
  /** Accepted media ranges such as `image/*`; absent if all are. */
  readonly accept?: readonly string[];
  /** Size limit in bytes. */
  readonly maxSize?: number;
}

/** Server options that concern batches. */
export type BatchOptions = Pick<ServerOptions, "limits" | "authenticateBatch">;
/**
 * Handles a batch request; implemented by `batch` of batch.ts. Only servers
 * whose API has a batch path import it.
 */
export type BatchFeature = (
  request: Incoming,
  options: BatchOptions,
  handle: (request: Incoming) => MaybePromise<Outgoing>,
  fail: (error: ApiError) => Outgoing,
) => Promise<Outgoing>;

/** Reads a body of any media type; implemented by `rawBody` of raw-body.ts. */
export type RawBodyFeature = (
  request: Incoming,
  options: ServerOptions,
) => Media;

/** Request and callbacks for the upload code. */
export interface UploadContext {
  readonly request: Incoming;
  readonly method: MethodDefinition;
  /** Query parameters as sent, by name. */
  readonly query: ReadonlyMap<string, string>;
  readonly options: ServerOptions;
  /** Checks the parameters and authenticates the caller. */
  prepare(): Promise<PreparedCall>;
  /** Calls the handler. */
  invoke(
    prepared: PreparedCall,
    body: unknown,
    media: Media | undefined,
  ): Promise<Outgoing>;
  /** Calls the handler for an upload that an earlier request started. */
  readonly resume: ResumeUpload;
}

/** Call with checked parameters and an authenticated caller. */
export interface PreparedCall {
  readonly params: Readonly<Record<string, unknown>>;
  readonly auth: unknown;
  readonly credential: Credential | undefined;
  readonly form: { readonly fields?: unknown; readonly prettyPrint?: unknown };
}

/**
 * Calls the handler of an upload session's method with the uploaded content.
 */
export type ResumeUpload = (
  session: UploadSession,
  media: Media,
) => Promise<Outgoing>;

/** Handles upload requests; implemented by `uploads` of uploads.ts. */
export type UploadsFeature = (context: UploadContext) => Promise<Outgoing>;

/** Error body of a status in the description (`x-errors`). */
export interface ErrorEntry {
  /**
   * Template of the body; strings such as `{message}` are replaced by values of
   * the error.
   */
  readonly body?: unknown;
  /** Defaults for errors without a message, reason or code. */
  readonly message?: string;
  readonly reason?: string;
  readonly code?: string;
  /**
   * JSON pointers of members that are `null` instead of absent if the error has
   * no value for them.
   */
  readonly nullable?: readonly string[];
  /** JSON pointers of members that are numbers. */
  readonly numbers?: readonly string[];
}

/** Error bodies by status, or `default`. */
export type ErrorEntries = Readonly<Record<string, ErrorEntry>>;
