import type { Severity } from "../../diagnostics/types.js";

/** Types of values; `any` is a subtree without description. */
export type ValueType =
  "string" | "integer" | "number" | "boolean" | "object" | "array" | "any";

/** Property of the overrides file: a row of generated/overrides/table.json. */
export interface PropertyRow {
  /** General path, such as `envs[].name`; `[]` is any element, `*` any key. */
  readonly path: string;
  readonly type: ValueType;
  readonly description: string;
  /** Key of `kinds`, which defines the syntax of the text. */
  readonly kind?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** In characters. */
  readonly maxLength?: number;
  /** In bytes of UTF-8; longer values are a warning. */
  readonly maxBytes?: number;
  readonly minItems?: number;
  readonly default?: string;
  readonly unit?: string;
  /** Code of findings about the value, if not T03. */
  readonly code?: string;
  /**
   * Pattern that values should match, and the warning for those that do not.
   */
  readonly advice?: { readonly pattern: string; readonly message: string };
  /** First version that supports the property; 1.0 if absent. */
  readonly since?: string;
  /** Last version that supports the property. */
  readonly until?: string;
  readonly deprecatedSince?: string;
  /** Instructions for replacing a removed property. */
  readonly removed?: string;
  /** Path of the replacement. */
  readonly replacedBy?: string;
  /** Marks another spelling of `replacedBy`, accepted with a warning. */
  readonly spelling?: true;
  /** Common misspellings that no version reads. */
  readonly alsoWritten?: readonly string[];
  /** Severity of findings about the version, if not the default of the rule. */
  readonly severity?: Severity;
  /** Marks a property whose value is never shown. */
  readonly secret?: true;
  /** Marks a property that is in use but in no reference. */
  readonly undocumented?: true;
  /** Severity of the finding if the property is missing. */
  readonly required?: "error" | "warning";
  /** First version that requires the property, if not `since`. */
  readonly requiredSince?: string;
}

/** Syntax of a kind of text. */
export interface TextKind {
  readonly meaning: string;
  readonly pattern?: string;
  /** Types that are accepted in addition to text. */
  readonly also?: readonly ValueType[];
  readonly code?: string;
}

/**
 * Properties from which a version is detected; the first matching row counts.
 */
export interface DetectionRow {
  readonly version?: string;
  /** Matches any property that is newer than the newest target. */
  readonly later?: true;
  readonly any?: readonly string[];
  readonly none?: readonly string[];
  /** At least two of these must be present. */
  readonly with?: readonly string[];
  readonly why: string;
}

/** Values that enable a rule, by key; `*` is any value. */
export type RuleCondition = Readonly<Record<string, string | boolean>>;

/** Rule about several properties. Each kind has a function in rules/. */
export type CrossFieldRule =
  | {
      readonly rule: "alternatives";
      readonly code: string;
      readonly at: string;
      readonly groups: readonly (readonly string[])[];
      readonly what: string;
      readonly required?: true;
      /** True if the groups may be combined. */
      readonly shared?: true;
      readonly when?: RuleCondition;
      /** Paths of properties that replace the required groups. */
      readonly unless?: readonly string[];
    }
  | {
      readonly rule: "together";
      readonly code: string;
      readonly at: string;
      readonly keys: readonly string[];
    }
  | {
      readonly rule: "needs";
      readonly code: string;
      readonly at: string;
      readonly when: RuleCondition;
      readonly keys: readonly string[];
    }
  | {
      readonly rule: "ordered";
      readonly code: string;
      readonly at: string;
      readonly low: string;
      readonly high: string;
      readonly scale: "number" | "quantity";
      readonly strict?: true;
    }
  | {
      readonly rule: "unique";
      readonly code: string;
      readonly list: string;
      readonly key: string;
      readonly what: string;
    }
  | {
      readonly rule: "same";
      readonly code: string;
      readonly keys: readonly [string, string];
    }
  | {
      readonly rule: "multiple";
      readonly code: string;
      readonly key: string;
      readonly of: number;
    }
  | {
      readonly rule: "most";
      readonly code: string;
      readonly key: string;
      readonly most: number;
    }
  | {
      readonly rule: "temporary";
      readonly code: string;
      readonly key: string;
      readonly other: string;
    }
  | {
      readonly rule: "moved";
      readonly code: string;
      readonly flat: string;
      readonly key: string;
    }
  | {
      readonly rule: "redundant";
      readonly code: string;
      readonly key: string;
      readonly same: string;
    }
  | {
      readonly rule: "production";
      readonly code: string;
      readonly what: string;
      readonly keys: readonly string[];
      readonly unless: readonly string[];
      /**
       * Value that is wrong in production; if absent, a missing property is
       * wrong.
       */
      readonly value?: boolean;
    };

/** Names and versions that the upgrade planner uses. */
export interface UpgradeConstants {
  readonly from: string;
  readonly to: string;
  readonly mesh: string;
  readonly certManager: string;
  readonly platforms: Readonly<
    Record<string, { readonly name: string; readonly version: string }>
  >;
  readonly oldComponents: readonly string[];
  readonly roles: Readonly<Record<string, string>>;
  readonly features: readonly string[];
  readonly minReplicas: number;
  readonly names: {
    readonly oldInstallerJob: string;
    readonly oldTelemetryCrd: string;
    readonly oldCassandraPod: string;
    readonly newCassandraPod: string;
    readonly meshNamespace: string;
    readonly certManagerNamespace: string;
    readonly systemNamespace: string;
    readonly controller: string;
    readonly watcherAccount: string;
  };
}

/** Data about the overrides file that all tools share. */
export interface PropertyTable {
  /** Versions by target name. */
  readonly targets: Readonly<Record<string, string>>;
  readonly defaultTarget: string;
  readonly kinds: Readonly<Record<string, TextKind>>;
  readonly detection: readonly DetectionRow[];
  readonly rules: readonly CrossFieldRule[];
  readonly upgrade: UpgradeConstants;
  readonly rows: readonly PropertyRow[];
}
