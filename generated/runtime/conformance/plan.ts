/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * A schema as data: a scalar with its format such as `string:int64`, `any`,
 * `#Id` for a definition, a list of one for a list, or with what else binds it.
 */
export type PlanType = string | readonly [PlanType] | TypeRules;

/** A schema with what binds its values. */
export interface TypeRules {
  /** The schema that the other members speak of. */
  readonly of?: PlanType;
  /** Schema of the values of a map. */
  readonly map?: PlanType;
  readonly enum?: readonly string[];
  readonly minimum?: string;
  readonly maximum?: string;
  readonly pattern?: string;
  /** Only the service sets it. */
  readonly readOnly?: boolean;
  /** Every answer has it. */
  readonly present?: boolean;
  /** Ids of the methods whose request needs it. */
  readonly required?: readonly string[];
}

/** An object: its fields by name, and the schema of further ones. */
export interface ObjectPlan {
  readonly fields: Readonly<Record<string, PlanType>>;
  readonly additional?: PlanType;
}

/** An object that a field tells the schema of. */
export interface VariantPlan {
  readonly variant: string;
  /** Ids of definitions by the field's values. */
  readonly options: Readonly<Record<string, string>>;
  /** Id of the definition of the fields that all options have. */
  readonly base?: string;
}

/** What `#Id` stands for. */
export type PlanDefinition = PlanType | ObjectPlan | VariantPlan;

/** How a method pages: names of the token, of the next one, and of the items. */
export interface PagingPlan {
  readonly token: string;
  readonly next: string;
  readonly items?: string;
  readonly inBody?: boolean;
}

/** The forms of upload that the client offers. */
export interface UploadPlan {
  readonly kinds: readonly ("media" | "multipart" | "resumable")[];
  /** Media type of the content. */
  readonly type: string;
}

/** An answer in pieces. */
export interface StreamPlan {
  readonly element: PlanType;
  /** Members of the body that ask for events; absent: the answer is a list. */
  readonly when?: Readonly<Record<string, unknown>>;
}

/** What the checks have to know of a method beyond its route. */
export interface MethodPlan {
  readonly request?: PlanType;
  readonly response?: PlanType;
  /** Whether the body is content of any type. */
  readonly rawRequest?: boolean;
  /** Whether the answer is. */
  readonly rawResponse?: boolean;
  readonly paging?: PagingPlan;
  readonly upload?: UploadPlan;
  readonly stream?: StreamPlan;
}

/** What the checks of an API are made from; its routes say the rest. */
export interface ConformancePlan {
  readonly definitions: Readonly<Record<string, PlanDefinition>>;
  /** By id. */
  readonly methods: Readonly<Record<string, MethodPlan>>;
}
