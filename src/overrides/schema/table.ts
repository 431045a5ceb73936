import type { Severity } from "../../diagnostics/types.js";

/** The types of values; `any` is a subtree that is not described. */
export type ValueType =
  "string" | "integer" | "number" | "boolean" | "object" | "array" | "any";

/** A property of the overrides file: one row of generated/overrides/table.json. */
export interface Row {
  /** `envs[].name`; `[]` is any element, `*` any key. */
  readonly path: string;
  readonly type: ValueType;
  readonly description: string;
  /** A row of `kinds`: what text has to look like. */
  readonly kind?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** In characters. */
  readonly maxLength?: number;
  /** In bytes of UTF-8; more is a warning. */
  readonly maxBytes?: number;
  readonly minItems?: number;
  readonly default?: string;
  readonly unit?: string;
  /** Code of a finding about the value, where it is not T03. */
  readonly code?: string;
  /** A pattern that values should match, and what to say of those that don't. */
  readonly advice?: { readonly pattern: string; readonly message: string };
  /** First version that knows the property; 1.0 where absent. */
  readonly since?: string;
  /** Last version that knows it. */
  readonly until?: string;
  readonly deprecatedSince?: string;
  /** What to do about a property that is gone. */
  readonly removed?: string;
  /** Path of the property that took its place. */
  readonly replacedBy?: string;
  /** Another spelling of `replacedBy`, accepted with a warning. */
  readonly spelling?: true;
  /** Names that people give it, and that nothing reads. */
  readonly alsoWritten?: readonly string[];
  /** Severity of a finding about the version, where it is not the usual one. */
  readonly severity?: Severity;
  /** Its value is never shown. */
  readonly secret?: true;
  /** In use, but in no reference. */
  readonly undocumented?: true;
  /** Whether its absence is an error or a warning. */
  readonly required?: "error" | "warning";
  /** First version that requires it, where that is not `since`. */
  readonly requiredSince?: string;
}

/** What text of a kind has to look like. */
export interface Kind {
  readonly meaning: string;
  readonly pattern?: string;
  /** Types that it may be written in besides text. */
  readonly also?: readonly ValueType[];
  readonly code?: string;
}

/** Which version a file with such properties was written for; the first that fits counts. */
export interface Detection {
  readonly version?: string;
  /** Any property that came after the newest target. */
  readonly later?: true;
  readonly any?: readonly string[];
  readonly none?: readonly string[];
  /** At least two of these have to be there. */
  readonly with?: readonly string[];
  readonly why: string;
}

/** Values that switch a rule on, by key; `*` is any value. */
export type When = Readonly<Record<string, string | boolean>>;

/** A rule about several properties. One file in rules/ for each kind. */
export type CrossRule =
  | {
      readonly rule: "alternatives";
      readonly code: string;
      readonly at: string;
      readonly groups: readonly (readonly string[])[];
      readonly what: string;
      readonly required?: true;
      /** The groups may stand together. */
      readonly shared?: true;
      readonly when?: When;
      /** Paths that make it unnecessary. */
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
      readonly when: When;
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
      /** The value that is wrong in production; without it, absence is. */
      readonly value?: boolean;
    };

/** Names and versions that the upgrade planner works with. */
export interface UpgradeFacts {
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

/** All that the tools know of the overrides file. */
export interface Table {
  /** Version that a target stands for, by what is typed. */
  readonly targets: Readonly<Record<string, string>>;
  readonly defaultTarget: string;
  readonly kinds: Readonly<Record<string, Kind>>;
  readonly detection: readonly Detection[];
  readonly rules: readonly CrossRule[];
  readonly upgrade: UpgradeFacts;
  readonly rows: readonly Row[];
}
