/**
 * Description document as parsed: the fields of `discovery#restDescription`,
 * and additional fields that occur in published documents. All fields are
 * optional, because the document check covers only the types of fields.
 */

export interface RawSchema {
  readonly id?: string;
  readonly type?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly default?: string | number | boolean | null;
  readonly required?: boolean | readonly string[];
  readonly deprecated?: boolean;
  readonly readOnly?: boolean;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: string | number;
  readonly maximum?: string | number;
  readonly enum?: readonly (string | number | boolean)[];
  readonly enumDescriptions?: readonly (string | null)[];
  readonly enumDeprecated?: readonly (boolean | null)[];
  readonly repeated?: boolean;
  readonly location?: string;
  readonly properties?: Readonly<Record<string, RawSchema>>;
  readonly additionalProperties?: RawSchema | boolean;
  readonly items?: RawSchema | readonly RawSchema[];
  readonly annotations?: { readonly required?: readonly string[] };
  readonly variant?: RawVariant;
  /**
   * Extensions of the description format (specs/README.md). Values of an
   * unexpected type are removed when the document is checked.
   */
  readonly "x-nullable"?: unknown;
  readonly "x-required"?: unknown;
  readonly "x-missing"?: unknown;
  readonly "x-open-enum"?: unknown;
  readonly "x-one-of"?: readonly RawSchema[];
  readonly "x-list-forms"?: unknown;
}

export interface RawVariant {
  readonly discriminant?: string;
  readonly map?: readonly {
    readonly type_value?: string;
    readonly $ref?: string;
  }[];
}

/**
 * Extensions of documents and methods (specs/README.md). Values of an
 * unexpected type are ignored.
 */
export interface RawExtensions {
  readonly "x-credential"?: unknown;
  readonly "x-headers"?: unknown;
  readonly "x-response-headers"?: unknown;
  readonly "x-errors"?: unknown;
  readonly "x-file"?: unknown;
  readonly "x-rules"?: unknown;
}

export interface RawMethod extends RawExtensions {
  readonly "x-status"?: unknown;
  readonly "x-stream"?: unknown;
  readonly "x-operation"?: unknown;
  readonly "x-paging"?: unknown;
  readonly "x-body-parameters"?: unknown;
  readonly id?: string;
  readonly path?: string;
  readonly restPath?: string;
  readonly flatPath?: string;
  readonly httpMethod?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly apiVersion?: string;
  readonly streamingType?: string;
  readonly parameters?: Readonly<Record<string, RawSchema>>;
  readonly parameterOrder?: readonly string[];
  readonly request?: RawSchema & { readonly parameterName?: string };
  readonly response?: RawSchema;
  readonly scopes?: readonly string[];
  readonly supportsMediaDownload?: boolean;
  readonly useMediaDownloadService?: boolean;
  readonly supportsMediaUpload?: boolean;
  readonly mediaUpload?: RawMediaUpload;
  readonly supportsSubscription?: boolean;
  readonly etagRequired?: boolean;
}

export interface RawMediaUpload {
  readonly accept?: readonly string[];
  readonly maxSize?: string;
  readonly protocols?: {
    readonly simple?: RawProtocol;
    readonly resumable?: RawProtocol;
  };
}

export interface RawProtocol {
  readonly multipart?: boolean;
  readonly path?: string;
}

export interface RawResource {
  readonly methods?: Readonly<Record<string, RawMethod>>;
  readonly resources?: Readonly<Record<string, RawResource>>;
  readonly deprecated?: boolean;
}

export interface RawEndpoint {
  readonly endpointUrl?: string;
  readonly location?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
}

/**
 * Key under which a document contains the methods that poll long-running
 * operations but were not selected. A parsed document can't contain this key,
 * because it is a symbol.
 */
export const POLLERS: unique symbol = Symbol("pollers");

export interface RawDocument extends RawResource, RawExtensions {
  readonly kind?: string;
  readonly discoveryVersion?: string;
  readonly etag?: string;
  readonly id?: string;
  readonly name?: string;
  readonly canonicalName?: string;
  readonly version?: string;
  readonly revision?: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: { readonly x16?: string; readonly x32?: string };
  readonly documentationLink?: string;
  readonly labels?: readonly string[];
  readonly protocol?: string;
  readonly baseUrl?: string;
  readonly basePath?: string;
  readonly rootUrl?: string;
  readonly mtlsRootUrl?: string;
  readonly servicePath?: string;
  readonly restBasePath?: string;
  readonly batchPath?: string;
  readonly endpoints?: readonly RawEndpoint[];
  readonly ownerDomain?: string;
  readonly ownerName?: string;
  readonly packagePath?: string;
  readonly version_module?: boolean | string;
  readonly fullyEncodeReservedExpansion?: boolean;
  readonly parameters?: Readonly<Record<string, RawSchema>>;
  readonly auth?: {
    readonly oauth2?: {
      readonly scopes?: Readonly<
        Record<string, { readonly description?: string }>
      >;
    };
  };
  readonly features?: readonly string[];
  readonly schemas?: Readonly<Record<string, RawSchema | string>>;
  readonly [POLLERS]?: readonly RawMethod[];
}
