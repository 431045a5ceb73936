/**
 * Schema in a compact form: a type with an optional format, such as
 * `string:int64`; `any`; `#Id` for a definition; a one-element array for a
 * list; or an object with constraints.
 */
export type PlanType = string | readonly [PlanType] | TypeRules;

/** Schema with constraints. */
export interface TypeRules {
  /** Schema to which the constraints apply. */
  readonly of?: PlanType;
  /** Schema of the values in a map. */
  readonly map?: PlanType;
  readonly enum?: readonly string[];
  /** Alternatives, of which a value matches at least one. */
  readonly oneOf?: readonly PlanType[];
  readonly minimum?: string;
  readonly maximum?: string;
  readonly pattern?: string;
  /** True if only the service can set the value. */
  readonly readOnly?: boolean;
  /** True if the value is present in every response. */
  readonly present?: boolean;
  /** IDs of the methods that require the value in requests. */
  readonly required?: readonly string[];
}

/** Schema of an object: named fields, and the schema of additional fields. */
export interface ObjectPlan {
  readonly fields: Readonly<Record<string, PlanType>>;
  readonly additional?: PlanType;
}

/** Schema of an object that depends on the value of a discriminator field. */
export interface VariantPlan {
  readonly variant: string;
  /** Definition IDs, keyed by discriminator value. */
  readonly options: Readonly<Record<string, string>>;
  /** ID of the definition that contains the fields common to all variants. */
  readonly base?: string;
}

/** Definition that `#Id` refers to. */
export type PlanDefinition = PlanType | ObjectPlan | VariantPlan;

/**
 * Names of the fields for token pagination: the page token, the next page token
 * and the items.
 */
export interface PagingPlan {
  readonly token: string;
  readonly next: string;
  readonly items?: string;
  readonly inBody?: boolean;
}

/** Upload protocols that the generated client supports for a method. */
export interface UploadPlan {
  readonly kinds: readonly ("media" | "multipart" | "resumable")[];
  /** Media type of the content. */
  readonly type: string;
}

/** Streamed response of a method. */
export interface StreamPlan {
  readonly element: PlanType;
  /**
   * Members that a request body must contain to request an event stream; absent
   * if the response is a list.
   */
  readonly when?: Readonly<Record<string, unknown>>;
}

/**
 * Data that the checks of a method need in addition to the method's route
 * definition.
 */
export interface MethodPlan {
  readonly request?: PlanType;
  readonly response?: PlanType;
  /** True if the request body can have any media type. */
  readonly rawRequest?: boolean;
  /** True if the response body can have any media type. */
  readonly rawResponse?: boolean;
  readonly paging?: PagingPlan;
  readonly upload?: UploadPlan;
  readonly stream?: StreamPlan;
}

/** Data that the checks of an API need in addition to its route definitions. */
export interface ConformancePlan {
  readonly definitions: Readonly<Record<string, PlanDefinition>>;
  /** Data for the checks, keyed by method ID. */
  readonly methods: Readonly<Record<string, MethodPlan>>;
}
