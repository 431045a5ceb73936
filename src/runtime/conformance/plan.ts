/**
 * Schema as data: a scalar with its format such as `string:int64`, `any`, `#Id`
 * for a definition, a one-element array for a list, or a schema with
 * constraints.
 */
export type PlanType = string | readonly [PlanType] | TypeRules;

/** Schema with constraints. */
export interface TypeRules {
  /** Constrained schema. */
  readonly of?: PlanType;
  /** Schema of a map's values. */
  readonly map?: PlanType;
  readonly enum?: readonly string[];
  readonly minimum?: string;
  readonly maximum?: string;
  readonly pattern?: string;
  /** True if only the service sets the value. */
  readonly readOnly?: boolean;
  /** True if every response contains the value. */
  readonly present?: boolean;
  /** IDs of the methods whose requests must contain the value. */
  readonly required?: readonly string[];
}

/** Object: its fields by name, and the schema of additional ones. */
export interface ObjectPlan {
  readonly fields: Readonly<Record<string, PlanType>>;
  readonly additional?: PlanType;
}

/** Object whose schema depends on the value of a field. */
export interface VariantPlan {
  readonly variant: string;
  /** Definition IDs by the field's value. */
  readonly options: Readonly<Record<string, string>>;
  /** Definition ID of the fields that all options share. */
  readonly base?: string;
}

/** Definition that `#Id` refers to. */
export type PlanDefinition = PlanType | ObjectPlan | VariantPlan;

/**
 * Token pagination: fields for the page token, the next token and the items.
 */
export interface PagingPlan {
  readonly token: string;
  readonly next: string;
  readonly items?: string;
  readonly inBody?: boolean;
}

/** Upload protocols that the client supports. */
export interface UploadPlan {
  readonly kinds: readonly ("media" | "multipart" | "resumable")[];
  /** Media type of the content. */
  readonly type: string;
}

/** Streamed response. */
export interface StreamPlan {
  readonly element: PlanType;
  /** Body members that request events; absent if the response is a list. */
  readonly when?: Readonly<Record<string, unknown>>;
}

/** Data for the checks of a method, in addition to its route. */
export interface MethodPlan {
  readonly request?: PlanType;
  readonly response?: PlanType;
  /** True if the request body is content of any media type. */
  readonly rawRequest?: boolean;
  /** True if the response body is content of any media type. */
  readonly rawResponse?: boolean;
  readonly paging?: PagingPlan;
  readonly upload?: UploadPlan;
  readonly stream?: StreamPlan;
}

/** Data for the checks of an API, in addition to its routes. */
export interface ConformancePlan {
  readonly definitions: Readonly<Record<string, PlanDefinition>>;
  /** Methods by ID. */
  readonly methods: Readonly<Record<string, MethodPlan>>;
}
