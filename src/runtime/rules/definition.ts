export type Severity = "error" | "warning" | "info";

/** Type of a value. `any` accepts any value, including nested ones. */
export type ValueType =
  "string" | "integer" | "number" | "boolean" | "object" | "array" | "any";

/** Rules about a file, from the extensions of a document's schemas. */
export interface FileRules {
  /** Name of the schema of the file (`x-root`). */
  readonly root: string;
  /** Name of such a file with its article, for messages (`x-file`). */
  readonly file: string;
  /** Map from the name of a target to its version (`x-targets`). */
  readonly targets: Readonly<Record<string, string>>;
  readonly defaultTarget: string;
  /** Modes of a check (`x-modes`), such as one for production. */
  readonly modes: readonly string[];
  /** Phases of a check (`x-phases`). */
  readonly phases: readonly string[];
  /** Codes of findings, keyed by code (`x-codes`). */
  readonly codes: Readonly<Record<string, CodeRow>>;
  /** Kinds of text, keyed by name (`x-kinds`). */
  readonly kinds: Readonly<Record<string, TextKind>>;
  readonly schemas: Readonly<Record<string, PropertySchema>>;
  /** Rules about several properties (`x-rules`). */
  readonly rules: readonly FileRule[];
}

/** Check that applies to all properties. */
export type CheckName =
  | "deprecated"
  | "empty"
  | "file"
  | "later"
  | "missing"
  | "placeholder"
  | "quantity"
  | "removed"
  | "type"
  | "unknown"
  | "value";

/** Default severity of a code, and the check that reports it. */
export interface CodeRow {
  readonly severity: Severity;
  /** Check that reports the code; absent for the code of rules. */
  readonly check?: CheckName;
}

/** Syntax of text, such as URL, that several properties have in common. */
export interface TextKind {
  readonly meaning: string;
  readonly pattern?: string;
  /** Types that are allowed in addition to strings. */
  readonly also?: readonly ValueType[];
  readonly code?: string;
  /** Severity of the finding about a missing value. Default: `warning`. */
  readonly empty?: Severity;
  /** Maximum length in characters. */
  readonly maxLength?: number;
  /** Texts that are never a value, and the message about them. */
  readonly never?: {
    readonly contains?: readonly string[];
    /** Start of the value after white space. */
    readonly startsWith?: string;
    readonly pattern?: string;
    readonly message: string;
  };
  /**
   * True if a host that ends in a number must be an IP address (WHATWG URL,
   * section 3.5); `port` if a port follows the host.
   */
  readonly address?: true | "port";
  /** True for quantities of Kubernetes, which `quantity` can limit. */
  readonly quantity?: true;
  /** Suggestion for the path of a file that does not exist. */
  readonly file?: string;
}

/** Plausible amounts of a quantity. */
export interface PlausibleQuantity {
  readonly minimum?: number;
  /** Minimum with its unit, for messages. */
  readonly minimumText?: string;
  readonly maximum?: number;
  readonly unit?: string;
  /** Suffix that is probably a mistake. */
  readonly suffix?: string;
  readonly suffixMeaning?: string;
  /** Suffix that was probably meant. */
  readonly suffixMeant?: string;
  readonly suggestion?: string;
}

/** Finding about placeholders whose names contain a text. */
export interface PlaceholderRule {
  readonly contains: string;
  readonly message: string;
  readonly suggestion: string;
}

/** Schema of a property, with its rules. */
export interface PropertySchema {
  /** Name of a schema, whose members this schema has too. */
  readonly ref?: string;
  readonly type?: ValueType;
  /** Text that is part of the suggestion if the property is missing. */
  readonly description?: string;
  /** Syntax of a string, as a key in `FileRules.kinds`. */
  readonly kind?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Maximum length in characters. */
  readonly maxLength?: number;
  /** Maximum length in UTF-8 bytes; a longer value causes only a warning. */
  readonly maxBytes?: number;
  readonly minItems?: number;
  readonly default?: string;
  readonly unit?: string;
  /** Code of findings about an invalid value. */
  readonly code?: string;
  /** Recommended pattern, and the warning for values that do not match it. */
  readonly advice?: { readonly pattern?: string; readonly message: string };
  readonly quantity?: PlausibleQuantity;
  readonly placeholder?: PlaceholderRule;
  /** First version that supports the property. Members inherit the value. */
  readonly since?: string;
  /** Last version that supports the property. */
  readonly until?: string;
  readonly deprecatedSince?: string;
  /** Instructions for replacing a removed property. */
  readonly removed?: string;
  /**
   * Path of the property that replaces this one. A name without dots is in the
   * same block.
   */
  readonly replacedBy?: string;
  /** True if the key is an alternative spelling of `replacedBy`. */
  readonly spelling?: true;
  /** Common misspellings, which no version supports. */
  readonly alsoWritten?: readonly string[];
  /**
   * Severity of the finding that the target does not support the property.
   * Default: the severity of the code.
   */
  readonly severity?: Severity;
  /** True if the value must never be printed. */
  readonly secret?: true;
  /** True if the property is in use, but missing from the reference. */
  readonly undocumented?: true;
  /** Severity of the finding about a missing property. Default: optional. */
  readonly required?: "error" | "warning";
  /** First version that requires the property. Default: `since`. */
  readonly requiredSince?: string;
  readonly properties?: Readonly<Record<string, PropertySchema>>;
  /** Schema of all members that are not in `properties`. */
  readonly values?: PropertySchema;
  /** Schema of the elements of a list. */
  readonly items?: PropertySchema;
}

/**
 * Condition of a rule: properties of the block, and their values. `*` means any
 * value. A missing property has its default.
 */
export type RuleCondition = readonly {
  readonly key: string;
  readonly is: string | boolean;
}[];

/** Members that rules of all kinds have. */
interface CommonRule {
  readonly code: string;
  /** Severity of the findings. Default: the severity of the code. */
  readonly severity?: Severity;
  /** Severities in modes. `off` disables the rule. */
  readonly modes?: Readonly<Record<string, Severity | "off">>;
  /**
   * Phases in which the rule applies; an empty string means a check without a
   * phase. Default: all.
   */
  readonly phases?: readonly string[];
}

/** Rule about several properties. `at` is the path of the block with `keys`. */
export type FileRule = CommonRule &
  (
    | {
        /** At most one group is set, and all keys of that group. */
        readonly rule: "alternatives";
        readonly at: string;
        readonly groups: readonly (readonly string[])[];
        readonly what: string;
        /** True if one of the groups must be set. */
        readonly required?: true;
        /** True if more than one of `groups` may be set. */
        readonly shared?: true;
        readonly when?: RuleCondition;
        /** Paths of properties that may be set instead of one of `groups`. */
        readonly unless?: readonly string[];
      }
    | {
        /** All keys are set, or none. */
        readonly rule: "together";
        readonly at: string;
        readonly keys: readonly string[];
      }
    | {
        /** All keys are set if a condition is met. */
        readonly rule: "needs";
        readonly at: string;
        readonly when: RuleCondition;
        readonly keys: readonly string[];
      }
    | {
        /** `low` is not more than `high`; less than `high` if `strict`. */
        readonly rule: "ordered";
        readonly at: string;
        readonly low: string;
        readonly high: string;
        readonly scale: "number" | "quantity";
        readonly strict?: true;
      }
    | {
        /** Elements of a list have different values of `key`. */
        readonly rule: "unique";
        readonly list: string;
        readonly key: string;
        readonly what: string;
      }
    | {
        /** Two properties have the same value. */
        readonly rule: "same";
        readonly keys: readonly string[];
        readonly suggestion: string;
      }
    | {
        /** A property that was moved has the value of its new position. */
        readonly rule: "moved";
        readonly from: string;
        readonly key: string;
      }
    | {
        /** A property does not repeat its default, the value of `same`. */
        readonly rule: "redundant";
        readonly key: string;
        readonly same: string;
      }
    | {
        /** A number is not more than `most`. */
        readonly rule: "most";
        readonly key: string;
        readonly most: number;
        readonly what: string;
      }
    | {
        /** A number is a positive multiple of `of`. */
        readonly rule: "multiple";
        readonly key: string;
        readonly of: number;
        readonly what: string;
      }
    | {
        readonly rule: "required" | "address";
        readonly key: string;
        /** Consequence of a missing property. */
        readonly what?: string;
        readonly suggestion: string;
      }
    | {
        /** A property is not set, or does not have a value. */
        readonly rule: "forbidden";
        readonly key: string;
        readonly value?: boolean;
        /** True if the rule ignores a property with another finding. */
        readonly unreported?: true;
        readonly what: string;
        readonly suggestion: string;
      }
    | {
        /** At most one of two properties is set. */
        readonly rule: "exclusive";
        readonly keys: readonly string[];
        readonly suggestion: string;
      }
    | {
        /** All keys are set, unless one of the paths in `unless` is. */
        readonly rule: "set";
        readonly keys: readonly string[];
        readonly unless?: readonly string[];
        readonly what: string;
        readonly why: string;
        readonly suggestion: string;
      }
    | {
        /** Only the first rule with a finding applies. */
        readonly rule: "first";
        readonly rules: readonly FileRule[];
      }
  );
