/**
 * The model between reading and printing: everything that a target needs to
 * know of an API, decided once. Plain, readonly and serialisable
 * (`gen --dump ir` prints it); schemas refer to each other by id. One file,
 * since the model is read as a whole.
 */

/** Where a statement about a field or parameter comes from. */
export type Provenance = "document" | "prose" | "rule";

/** A statement with its source: a flag of the document, its prose, or a rule. */
export interface Fact {
  readonly from: Provenance;
}

export interface Api {
  /** `<name>:<version>` (document field `id`). */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly revision?: string;
  readonly canonicalName?: string;
  readonly title?: string;
  readonly description?: string;
  readonly documentationLink?: string;
  readonly labels: readonly string[];
  /** Absolute, ends with a slash. */
  readonly rootUrl: string;
  readonly mtlsRootUrl?: string;
  /** Relative to rootUrl; empty or ends with a slash. */
  readonly servicePath: string;
  /** Relative to rootUrl. */
  readonly batchPath?: string;
  readonly endpoints: readonly Endpoint[];
  /** `fullyEncodeReservedExpansion`: `{+v}` keeps only `/` bare. */
  readonly encodeReserved: boolean;
  readonly features: readonly string[];
  readonly scopes: readonly Scope[];
  readonly parameters: readonly Parameter[];
  readonly definitions: readonly Definition[];
  /** API-level methods, and all resources below. */
  readonly root: Resource;
  /** Failures of all methods (`x-errors`). */
  readonly errors?: readonly ErrorRule[];
  /** How all methods take a credential that do not say otherwise (`x-credential`). */
  readonly credential?: Credential;
  /** Headers of the answers of all methods (`x-response-headers`). */
  readonly responseHeaders?: readonly Parameter[];
}

/** How the caller's key or token is sent (`x-credential`). */
export interface Credential {
  readonly in: "header" | "query";
  readonly name: string;
  readonly schemes: readonly string[];
  readonly description?: string;
}

/** How failures of a status are written (`x-errors`). */
export interface ErrorRule {
  /** Three digits, or `default`. */
  readonly status: string;
  readonly description?: string;
  /** Id of the body's schema. */
  readonly schema?: string;
  /** JSON in which strings such as `{message}` stand for facts. */
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
  /** Key in `resources`; empty for the API itself. */
  readonly name: string;
  /** Names from the top, this one included; empty for the API itself. */
  readonly path: readonly string[];
  readonly deprecated?: boolean;
  readonly methods: readonly Method[];
  readonly children: readonly Resource[];
}

export interface Method {
  /** Document field `id`; made from the names where it is missing. */
  readonly id: string;
  /** Key in `methods`. */
  readonly name: string;
  readonly pointer: string;
  readonly httpMethod: string;
  /** URI template, relative to servicePath. */
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
  /** Required members that hold content in base64; an upload sends it as media instead. */
  readonly requiredContent?: readonly string[];
  /** True if the body is content of any type, sent as it is (`google.api.HttpBody`). */
  readonly rawRequest?: boolean;
  /** True if the response is content of any type. */
  readonly rawResponse?: boolean;
  readonly scopes: readonly string[];
  readonly upload?: Upload;
  readonly download?: Download;
  readonly paging?: TokenPagination;
  /** Pages that are counted and linked (`x-paging`). */
  readonly links?: LinkPagination;
  readonly operation?: Operation;
  readonly stream?: Stream;
  readonly supportsSubscription?: boolean;
  /** Headers of the request, those of all methods included (`x-headers`). */
  readonly headers?: readonly Parameter[];
  /** Headers of the answer, those of all methods included (`x-response-headers`). */
  readonly responseHeaders?: readonly Parameter[];
  /** Of this method or of all; none where the method takes none. */
  readonly credential?: Credential;
  /** Whether the method says so itself, and not as the document does. */
  readonly hasOwnCredential?: boolean;
  /** Status of success (`x-status`). */
  readonly status?: number;
  /** True if the success status (`x-status`) is a redirect to the bytes. */
  readonly redirects?: boolean;
  /** Media types of bodies that hold parameters (`x-body-parameters`). */
  readonly bodyParameters?: readonly string[];
  /** Failures of this method alone (`x-errors`). */
  readonly errors?: readonly ErrorRule[];
}

/** A piece of a path: `literal`, `{variable}`, `{+multi}` or a final `:verb`. */
export type PathToken =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "verb"; readonly text: string }
  | {
      readonly kind: "variable" | "multi";
      readonly name: string;
      /** RFC 6570 operator other than none and `+`. */
      readonly operator?: string;
      readonly explode?: boolean;
      readonly prefix?: number;
      /** The parameter's `pattern`. */
      readonly pattern?: string;
    };

export interface Upload {
  readonly accept: readonly string[];
  /** As in the document: a number with a unit, e.g. "5GB". */
  readonly maxSize?: string;
  /** `maxSize` in bytes; absent if it is not a size. */
  readonly maxBytes?: number;
  readonly simple?: UploadProtocol;
  readonly resumable?: UploadProtocol;
}

export interface UploadProtocol {
  /** Relative to rootUrl's origin. */
  readonly path: string;
  readonly multipart: boolean;
}

export interface Download {
  /** `useMediaDownloadService`. */
  readonly service: boolean;
}

export interface TokenPagination {
  /** Parameter or body field that takes the token. */
  readonly token: string;
  readonly in: "query" | "body";
  /** Response field that holds the next token. */
  readonly next: string;
  /** Response field with the items, and their schema. */
  readonly items?: {
    readonly field: string;
    readonly schema: Schema;
    readonly isMap: boolean;
  };
  /** Other list fields of the page, where the choice was one of several. */
  readonly others: readonly string[];
}

/** A list whose pages are arrays, counted by a parameter and linked by a header. */
export interface LinkPagination {
  /** Query parameter that counts pages from its default. */
  readonly page: string;
  /** Query parameter with the number of elements of a page. */
  readonly size: string;
  /** Header of the answer with the URLs of other pages (RFC 8288). */
  readonly link: string;
  readonly element: Schema;
}

export interface Operation {
  /** `done`: name and done; `status`: a status field that ends as DONE. */
  readonly style: "done" | "status";
  /** What it ends with, where that is known (`x-operation.response`). */
  readonly result?: Schema;
  /** The method that gives the operation again; absent if there is none. */
  readonly poll?: {
    readonly path: string;
    /** The variable of the path that is the operation's field `name`. */
    readonly variable: string;
    /** Query parameters that it has in common with the method. */
    readonly query: readonly string[];
  };
}

/** An answer that arrives in pieces. */
export interface Stream {
  /** `events`: server-sent events; `array`: elements of a JSON array. */
  readonly format: "events" | "array";
  readonly element: Schema;
  /** Fields of the request that ask for it (`x-stream.when`). */
  readonly when?: Readonly<Record<string, unknown>>;
  /** Data of the event that ends it (`x-stream.end`). */
  readonly end?: string;
}

export interface Parameter {
  /** Name on the wire. */
  readonly name: string;
  readonly location: "path" | "query";
  readonly schema: Schema;
  readonly repeated: boolean;
  /** Other ways to write several values (`x-list-forms`). */
  readonly forms?: readonly ListForm[];
  readonly flags: FieldFlags;
  readonly constraints: Constraints;
  readonly description?: string;
}

/** `a=1,2` and `a[]=1&a[]=2`. */
export type ListForm = "comma" | "brackets";

/** Statements about a field or parameter; an absent one does not hold. */
export interface FieldFlags {
  readonly required?: Fact;
  readonly readOnly?: Fact;
  readonly deprecated?: Fact;
  /** Ids of the methods whose request needs the field (`annotations.required`). */
  readonly requiredBy?: readonly string[];
  /** Every value has the field, unless it is asked for in part (`x-required`). */
  readonly present?: Fact;
}

/** What the document says of a value beyond its type. */
export interface Constraints {
  readonly default?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: string;
  readonly maximum?: string;
  /** Values of an `enum` whose type is not string. */
  readonly values?: readonly EnumValue[];
}

export type Schema = Kind & {
  /** `null` is a value too (`x-nullable`). */
  readonly nullable?: boolean;
  /** Limits of a value that no field or parameter holds: an element, an alias. */
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

/** A schema with an identity: of the document, or an inline object or enum. */
export interface Definition {
  /** Key in `schemas`; for inline ones the owner's id, a dot and the field. */
  readonly id: string;
  readonly pointer: string;
  readonly inline?: Inline;
  readonly description?: string;
  readonly deprecated?: boolean;
  /** Of an object, enum or variant; an alias' schema says it itself. */
  readonly nullable?: boolean;
  readonly body: Body;
  /**
   * Whether the schema looks different in a request, because it or one below
   * it has readOnly fields, and some request uses it.
   */
  readonly hasInputType?: boolean;
}

/** What owns an inline schema: a definition or a method, and under which name. */
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
      /** Values beyond these are allowed (`x-open-enum`). */
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
      /** The definition of the properties that all options have. */
      readonly base?: string;
    };

export interface Field {
  /** Name on the wire. */
  readonly name: string;
  readonly schema: Schema;
  readonly flags: FieldFlags;
  readonly constraints: Constraints;
  readonly description?: string;
}

/** An object under construction: its own fields can be set, what they hold can't. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A parameter or field under construction: its flags can be set. */
export type MutableField<T extends { readonly flags: FieldFlags }> = Mutable<
  Omit<T, "flags">
> & { flags: Mutable<FieldFlags> };
