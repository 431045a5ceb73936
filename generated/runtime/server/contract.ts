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
 * The API as its generated server has it: data, and the parts of the runtime
 * that only some APIs need.
 */
export interface ApiDefinition {
  /** Name of the API, for logs. */
  readonly name: string;
  /** Path of all methods, without a slash at the start; empty or ends with one. */
  readonly servicePath: string;
  /** Path of the batch endpoint, where there is one, and what answers there. */
  readonly batchPath?: string;
  readonly batch?: BatchFeature;
  /** What takes uploads; for APIs that have any. */
  readonly uploads?: UploadsFeature;
  /** Every scope that a method names by its number. */
  readonly scopes?: readonly string[];
  /** Parameters that all methods take. */
  readonly parameters: ParameterDefinitions;
  readonly methods: readonly MethodDefinition[];
  /** Bodies of failures, where they are not the usual ones. */
  readonly errors?: ErrorEntries;
  /** Where the API is documented, for bodies of failures. */
  readonly documentation?: string;
  /** Whether bodies are in an envelope `{data: ...}`. */
  readonly wrap?: boolean;
}

/** Parameters by their names on the wire. */
export type ParameterDefinitions = Readonly<
  Record<string, ParameterDefinition>
>;

/** A parameter: its type alone, or with what else binds it. */
export type ParameterDefinition = string | ParameterRules;

/** What is known of a parameter's values. */
export interface ParameterRules {
  /** `string`, `boolean`, `number`, `integer`, or a format such as `int64`. */
  readonly type: string;
  readonly repeated?: boolean;
  readonly required?: boolean;
  /** As text; it takes the place of an absent value. */
  readonly default?: string;
  readonly minimum?: string;
  readonly maximum?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  /** Whether values beyond those of `enum` are allowed. */
  readonly open?: boolean;
  /** Other ways to write several values. */
  readonly forms?: readonly ("comma" | "brackets")[];
  /** Where it is, if not in the query or path. */
  readonly in?: "header";
}

/** What a validator says of a value. */
export type Validation =
  | { readonly valid: true }
  | { readonly valid: false; readonly errors: readonly Violation[] };

/** One thing that is wrong with a value. */
export interface Violation {
  /** JSON pointer of the place; empty for the value itself. */
  readonly pointer: string;
  /** Class of what is wrong, such as `required`. */
  readonly code: string;
  /** For people, without the place: "must be a string". */
  readonly message: string;
}

/** How strictly a validator looks. */
export interface ValidationSettings {
  readonly mode?: "request" | "response";
  readonly unknownFields?: "ignore" | "reject";
  readonly openEnums?: boolean;
  readonly partial?: boolean;
  readonly maxDepth?: number;
  readonly int64Numbers?: Int64Rule;
}

/** A function of validators.ts. */
export type Validate = (
  value: unknown,
  settings?: ValidationSettings,
) => Validation;

/** A method of the API. */
export interface MethodDefinition {
  readonly id: string;
  /** Where its handler is in the service: resources from the top, then its name. */
  readonly at: readonly string[];
  /** HTTP method; `GET` if absent. */
  readonly verb?: string;
  /** Route template below `servicePath`, or several; see `parseTemplate`. */
  readonly route: string | readonly string[];
  readonly parameters?: ParameterDefinitions;
  /** Whether it takes a body, and whether it must have one. */
  readonly body?: "optional" | "required";
  /** Takes the body, where it is content of any type and not JSON. */
  readonly raw?: RawBodyFeature;
  /** Media types of bodies that hold parameters. */
  readonly forms?: readonly string[];
  /** Looks a decoded body over. */
  readonly validate?: Validate;
  /** Looks the answer over, where the server's options ask for it. */
  readonly validateResponse?: Validate;
  /** Numbers in `Api.scopes`. */
  readonly scopes?: readonly number[];
  /** The caller's key or token, where it must be sent in a header. */
  readonly credential?: CredentialRules;
  /** When the answer is a stream of events. */
  readonly stream?: StreamRules;
  readonly errors?: ErrorEntries;
  /** Status of parameters and bodies that do not fit, headers aside. Default: 400. */
  readonly invalidInput?: number;
  /** Status of success; default 200, or 204 without `answers`. */
  readonly status?: number;
  /** How pages are counted and linked. */
  readonly paging?: PageRules;
  /** Headers that every successful answer has. */
  readonly responseHeaders?: readonly string[];
  /** Whether it answers with a value. */
  readonly hasResponse?: boolean;
  /** Whether its content can be asked for with `alt=media`. */
  readonly download?: boolean | "service";
  readonly upload?: UploadRules;
}

/** How a key or token is sent. */
export interface CredentialRules {
  /** Name of the header. */
  readonly header: string;
  /** Any of these, in any case; none: a bare value. */
  readonly schemes?: readonly string[];
}

/** How pages are counted and linked: names of two query parameters and of a header. */
export interface PageRules {
  /** Counts from its default. */
  readonly page: string;
  /** Elements of a page. */
  readonly size: string;
  readonly link: string;
}

/** When an answer is a stream of events, and how it ends. */
export interface StreamRules {
  /** Members of the body, and the values with which they ask for it. */
  readonly when: Readonly<Record<string, unknown>>;
  /** Data of the last event. */
  readonly end?: string;
}

/** How content is uploaded to a method. */
export interface UploadRules {
  /** Route templates below the root, each once. */
  readonly routes: readonly string[];
  /** Media ranges such as `image/*`; none: all. */
  readonly accept?: readonly string[];
  /** In bytes. */
  readonly maxSize?: number;
}

/** Options of a server that concern its batches. */
export type BatchOptions = Pick<ServerOptions, "limits" | "authenticateBatch">;
/**
 * Answers a batch; `batch` of batch.ts. Servers of APIs without a batch path do
 * not import it.
 */
export type BatchFeature = (
  request: Incoming,
  options: BatchOptions,
  handle: (request: Incoming) => MaybePromise<Outgoing>,
  fail: (error: ApiError) => Outgoing,
) => Promise<Outgoing>;

/** Reads a body of any media type; `rawBody` of raw-body.ts. */
export type RawBodyFeature = (
  request: Incoming,
  options: ServerOptions,
) => Media;

/** What the server gives the code for uploads to work with. */
export interface UploadContext {
  readonly request: Incoming;
  readonly method: MethodDefinition;
  /** Parameters of the query as sent, by name. */
  readonly query: ReadonlyMap<string, string>;
  readonly options: ServerOptions;
  /** Checks parameters and caller. */
  prepare(): Promise<PreparedCall>;
  /** Calls the handler. */
  invoke(
    prepared: PreparedCall,
    body: unknown,
    media: Media | undefined,
  ): Promise<Outgoing>;
  /** The same for an upload that was started earlier. */
  readonly resume: ResumeUpload;
}

/** A call whose parameters and caller are known. */
export interface PreparedCall {
  readonly params: Readonly<Record<string, unknown>>;
  readonly auth: unknown;
  readonly credential: Credential | undefined;
  readonly form: { readonly fields?: unknown; readonly prettyPrint?: unknown };
}

/** Calls the handler of a session's method with its content. */
export type ResumeUpload = (
  session: UploadSession,
  media: Media,
) => Promise<Outgoing>;

/** Receives uploads; `uploads` of uploads.ts. */
export type UploadsFeature = (context: UploadContext) => Promise<Outgoing>;

/** How a description wants failures written; see `x-errors` of the documents. */
export interface ErrorEntry {
  /** The body, in which strings such as `{message}` stand for facts. */
  readonly body?: unknown;
  /** Texts for failures that have none of their own. */
  readonly message?: string;
  readonly reason?: string;
  readonly code?: string;
  /** Places of the body (JSON pointers) that are `null`, not left out, without a fact. */
  readonly nullable?: readonly string[];
  /** Places of the body (JSON pointers) that hold numbers. */
  readonly numbers?: readonly string[];
}

/** Entries by status, and `default`. */
export type ErrorEntries = Readonly<Record<string, ErrorEntry>>;
