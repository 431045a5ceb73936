/**
 * Model of an API, from which all targets generate code. The model is plain,
 * readonly and serializable (`gen --dump ir` prints it); schemas refer to each
 * other by id. This file is longer than others because it contains all types of
 * the model.
 */

import type { FileRules } from "../runtime/rules/definition.js";

/**
 * Source of a flag: a field of the document, a description, or a rule of
 * the generator.
 */
export type Provenance = "document" | "prose" | "rule";

/** Flag with the value true, and the source of the flag. */
export interface Flag {
  readonly from: Provenance;
}

export interface Api {
  /** Id of the API, `<name>:<version>` (document field `id`). */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly revision?: string;
  readonly canonicalName?: string;
  readonly title?: string;
  readonly description?: string;
  readonly documentationLink?: string;
  readonly labels: readonly string[];
  /** Root URL of the API: absolute, and ends with a slash. */
  readonly rootUrl: string;
  readonly mtlsRootUrl?: string;
  /**
   * Prefix of the paths of all methods, relative to rootUrl. It is empty, or
   * ends with a slash.
   */
  readonly servicePath: string;
  /** Path for batch requests, relative to rootUrl. */
  readonly batchPath?: string;
  readonly endpoints: readonly Endpoint[];
  /**
   * True if `{+v}` encodes all reserved characters except `/` (document field
   * `fullyEncodeReservedExpansion`).
   */
  readonly encodeReserved: boolean;
  readonly features: readonly string[];
  readonly scopes: readonly Scope[];
  readonly parameters: readonly Parameter[];
  readonly definitions: readonly Definition[];
  /**
   * Root resource, which contains all other resources and the methods that
   * belong to no resource.
   */
  readonly root: Resource;
  /** Error rules that apply to all methods (`x-errors`). */
  readonly errors?: readonly ErrorRule[];
  /** Default credential of methods (`x-credential`). */
  readonly credential?: Credential;
  /** Headers that the responses of all methods have (`x-response-headers`). */
  readonly responseHeaders?: readonly Parameter[];
  /** Rules about the file that the document describes (`x-file`). */
  readonly file?: FileRules;
}

/**
 * Header or query parameter in which a request contains the caller's API key or
 * token (`x-credential`).
 */
export interface Credential {
  readonly in: "header" | "query";
  readonly name: string;
  readonly schemes: readonly string[];
  readonly description?: string;
}

/** Body of error responses with a given status (`x-errors`). */
export interface ErrorRule {
  /** HTTP status of three digits, or `default`. */
  readonly status: string;
  readonly description?: string;
  /** Id of the body's schema. */
  readonly schema?: string;
  /**
   * JSON template of the body. Strings such as `{message}` are replaced with
   * values from the error.
   */
  readonly body?: unknown;
  readonly message?: string;
  readonly reason?: string;
  readonly code?: string;
}

export interface Endpoint {
  readonly url: string;
  readonly location: string;
  readonly description?: string;
  readonly deprecated?: boolean;
}

export interface Scope {
  readonly name: string;
  readonly description?: string;
}

export interface Resource {
  /** Key in `resources`; empty for the root resource. */
  readonly name: string;
  /**
   * Names of the resources from the root to this one; empty for the root
   * resource.
   */
  readonly path: readonly string[];
  readonly deprecated?: boolean;
  readonly methods: readonly Method[];
  readonly children: readonly Resource[];
}

export interface Method {
  /**
   * Value of `id` in the document. If it is missing, the names of the API, the
   * resources and the method, joined by dots.
   */
  readonly id: string;
  /** Key of the method in `methods`. */
  readonly name: string;
  readonly pointer: string;
  readonly httpMethod: string;
  /** URI template relative to servicePath. */
  readonly path: string;
  readonly flatPath?: string;
  readonly tokens: readonly PathToken[];
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly apiVersion?: string;
  readonly parameters: readonly Parameter[];
  readonly request?: Schema;
  readonly response?: Schema;
  /** Members that every request body must have (`annotations.required`). */
  readonly requiredMembers?: readonly string[];
  /**
   * Required members that contain base64 content. An upload sends this content
   * as media instead.
   */
  readonly requiredContent?: readonly string[];
  /**
   * True if the request body can have any media type (`google.api.HttpBody`).
   */
  readonly rawRequest?: boolean;
  /** True if the response body can have any media type. */
  readonly rawResponse?: boolean;
  readonly scopes: readonly string[];
  readonly upload?: Upload;
  readonly download?: Download;
  readonly paging?: TokenPagination;
  /** Pagination by page number and `Link` header (`x-paging`). */
  readonly links?: LinkPagination;
  readonly operation?: Operation;
  readonly stream?: Stream;
  readonly supportsSubscription?: boolean;
  /**
   * Request headers (`x-headers`), including those declared for all methods.
   */
  readonly headers?: readonly Parameter[];
  /**
   * Response headers (`x-response-headers`), including those declared for all
   * methods.
   */
  readonly responseHeaders?: readonly Parameter[];
  /**
   * Credential of the method. Default: the credential of the document. Absent
   * if no credential is needed.
   */
  readonly credential?: Credential;
  /** True if the method's credential differs from the document's. */
  readonly hasOwnCredential?: boolean;
  /** HTTP status of a successful response (`x-status`). */
  readonly status?: number;
  /** True if a successful response redirects to the content (`x-status`). */
  readonly redirects?: boolean;
  /**
   * Media types of request bodies that can contain parameters
   * (`x-body-parameters`).
   */
  readonly bodyParameters?: readonly string[];
  /** Error rules that apply only to this method (`x-errors`). */
  readonly errors?: readonly ErrorRule[];
}

/**
 * Part of a path: a literal, `{variable}`, `{+multi}`, or a final custom verb
 * such as `:cancel`.
 */
export type PathToken =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "verb"; readonly text: string }
  | {
      readonly kind: "variable" | "multi";
      readonly name: string;
      /** RFC 6570 operator; absent for `{v}` and `{+v}`. */
      readonly operator?: string;
      readonly explode?: boolean;
      readonly prefix?: number;
      /**
       * Regular expression for the value of the variable (`pattern` of the
       * parameter with the same name).
       */
      readonly pattern?: string;
    };

export interface Upload {
  readonly accept: readonly string[];
  /**
   * Maximum size as declared in the document: a number with a unit, such as
   * "5GB".
   */
  readonly maxSize?: string;
  /** Value of `maxSize` in bytes; absent if it can't be parsed. */
  readonly maxBytes?: number;
  readonly simple?: UploadProtocol;
  readonly resumable?: UploadProtocol;
}

export interface UploadProtocol {
  /** Path of the upload URL, relative to the origin of rootUrl. */
  readonly path: string;
  readonly multipart: boolean;
}

export interface Download {
  /**
   * True if downloads use a separate media service (`useMediaDownloadService`).
   */
  readonly service: boolean;
}

export interface TokenPagination {
  /**
   * Name of the query parameter or body field in which a request contains the
   * page token.
   */
  readonly token: string;
  readonly in: "query" | "body";
  /** Response field that contains the token of the next page. */
  readonly next: string;
  /** Response field that contains the items, and the schema of the items. */
  readonly items?: {
    readonly field: string;
    readonly schema: Schema;
    readonly isMap: boolean;
  };
  /**
   * List fields of the response, except the field with the items of the page.
   */
  readonly others: readonly string[];
}

/**
 * Pagination by page number. The response is an array, and a response header
 * contains links to other pages.
 */
export interface LinkPagination {
  /**
   * Query parameter that contains the page number. If it is absent, servers
   * return the first page.
   */
  readonly page: string;
  /** Query parameter that sets the number of elements in a page. */
  readonly size: string;
  /** Response header that contains the URLs of other pages (RFC 8288). */
  readonly link: string;
  readonly element: Schema;
}

export interface Operation {
  /**
   * Field that reports completion: a boolean `done` field, or a `status` field
   * whose final value is DONE.
   */
  readonly style: "done" | "status";
  /**
   * Schema of the result, if the document declares it (`x-operation.response`).
   */
  readonly result?: Schema;
  /**
   * Method that returns the state of the operation; absent if the API has no
   * such method.
   */
  readonly poll?: {
    readonly path: string;
    /** Path variable whose value is the `name` field of the operation. */
    readonly variable: string;
    /**
     * Query parameters that both the starting method and the polling method
     * declare.
     */
    readonly query: readonly string[];
  };
}

/** Response that the server sends in parts. */
export interface Stream {
  /**
   * `events` for server-sent events, `array` for the elements of a JSON array.
   */
  readonly format: "events" | "array";
  readonly element: Schema;
  /**
   * Names and values of request fields with which a caller requests a stream
   * (`x-stream.when`).
   */
  readonly when?: Readonly<Record<string, unknown>>;
  /** Data of the event that marks the end of the stream (`x-stream.end`). */
  readonly end?: string;
}

export interface Parameter {
  /** Name of the parameter as sent in requests. */
  readonly name: string;
  readonly location: "path" | "query";
  readonly schema: Schema;
  readonly repeated: boolean;
  /** Additional encodings of a list in a URL (`x-list-forms`). */
  readonly forms?: readonly ListForm[];
  readonly flags: FieldFlags;
  readonly constraints: Constraints;
  readonly description?: string;
}

/** Encoding of a list in a URL: `a=1,2` (comma) or `a[]=1&a[]=2` (brackets). */
export type ListForm = "comma" | "brackets";

/** Flags of a field or parameter. An absent flag is false. */
export interface FieldFlags {
  readonly required?: Flag;
  readonly readOnly?: Flag;
  readonly deprecated?: Flag;
  /**
   * Ids of the methods that require the field in requests
   * (`annotations.required`).
   */
  readonly requiredBy?: readonly string[];
  /**
   * Set if the field is always present, except in partial responses
   * (`x-required`).
   */
  readonly present?: Flag;
}

/**
 * Constraints that the document declares for a value, such as its default value
 * and limits.
 */
export interface Constraints {
  readonly default?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: string;
  readonly maximum?: string;
  /** Values of an enum whose type is not string. */
  readonly values?: readonly EnumValue[];
}

export type Schema = Kind & {
  /** True if `null` is allowed (`x-nullable`). */
  readonly nullable?: boolean;
  /**
   * Constraints of a list element or alias. The constraints of a field or
   * parameter are in `Field` or `Parameter` instead.
   */
  readonly constraints?: Constraints;
};

type Kind =
  | {
      readonly kind: "scalar";
      readonly type: ScalarType;
      readonly format?: string;
    }
  | {
      readonly kind: "enum";
      readonly values: readonly EnumValue[];
      readonly open?: boolean;
    }
  | { readonly kind: "list"; readonly items: Schema }
  | { readonly kind: "map"; readonly values: Schema }
  | { readonly kind: "ref"; readonly id: string }
  | { readonly kind: "any" };

export type ScalarType = "string" | "number" | "integer" | "boolean" | "null";

export interface EnumValue {
  readonly value: string;
  readonly description?: string;
  readonly deprecated?: boolean;
}

/** Named schema: a schema of the document, or an inline object or enum. */
export interface Definition {
  /** Key in `schemas` or, for inline definitions, `<owner id>.<field>`. */
  readonly id: string;
  readonly pointer: string;
  readonly inline?: Inline;
  readonly description?: string;
  readonly deprecated?: boolean;
  /**
   * True if a value of the object, enum, variant or union can be `null`
   * (`x-nullable`). An alias does not have this flag; the schema to which it
   * refers has it.
   */
  readonly nullable?: boolean;
  readonly body: Body;
  /**
   * True if the definition needs a separate type for requests: requests use it,
   * and it has read-only fields or refers to a definition that has them.
   */
  readonly hasInputType?: boolean;
}

/**
 * Definition or method that contains an inline schema, and the name of the
 * field to which the schema belongs.
 */
export interface Inline {
  readonly owner: string;
  readonly field: string;
}

export type Body =
  | {
      readonly kind: "object";
      readonly fields: readonly Field[];
      readonly additional?: Schema;
    }
  | {
      readonly kind: "enum";
      readonly values: readonly EnumValue[];
      /** True if values that are not listed are allowed (`x-open-enum`). */
      readonly open?: boolean;
    }
  | { readonly kind: "alias"; readonly schema: Schema }
  | {
      readonly kind: "variant";
      readonly discriminant: string;
      readonly options: readonly {
        readonly value: string;
        readonly id: string;
      }[];
      /** Id of the definition with the properties that all options have. */
      readonly base?: string;
    }
  | {
      /** Values of one of several schemas (`x-one-of`). */
      readonly kind: "union";
      /** Alternatives, in the order of the document. */
      readonly options: readonly Schema[];
    };

export interface Field {
  /** Name of the property in JSON. */
  readonly name: string;
  readonly schema: Schema;
  readonly flags: FieldFlags;
  readonly constraints: Constraints;
  readonly description?: string;
}

/**
 * Type of an object under construction: its own members can be assigned, but
 * nested objects remain readonly.
 */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
