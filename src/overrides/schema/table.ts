import type { Severity } from "../../diagnostics/types.js";

/** Type of a value. `any` accepts any value, including nested ones. */
export type ValueType =
  "string" | "integer" | "number" | "boolean" | "object" | "array" | "any";

/** Property of overrides files: one row in generated/overrides/table.json. */
export interface PropertyRow {
  /**
   * Path such as `envs[].name`; `[]` means any list element and `*` means any
   * key.
   */
  readonly path: string;
  readonly type: ValueType;
  readonly description: string;
  /** Syntax of a string value, as a key in `PropertyTable.kinds`. */
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
  /** Rule code of findings about an invalid value. Default: T03. */
  readonly code?: string;
  /** Recommended pattern, and the warning for values that do not match it. */
  readonly advice?: { readonly pattern: string; readonly message: string };
  /** First version that supports the property. Default: 1.0. */
  readonly since?: string;
  /** Last version that supports the property. */
  readonly until?: string;
  readonly deprecatedSince?: string;
  /** Instructions for replacing a removed property. */
  readonly removed?: string;
  /** Path of the property that replaces this one. */
  readonly replacedBy?: string;
  /**
   * True if this key is an alternative spelling of `replacedBy` that causes
   * only a warning.
   */
  readonly spelling?: true;
  /** Common misspellings, which no version supports. */
  readonly alsoWritten?: readonly string[];
  /**
   * Severity of the finding that the target version does not support the
   * property. Default: the severity of the rule.
   */
  readonly severity?: Severity;
  /** True if the value is a secret and must never be printed. */
  readonly secret?: true;
  /**
   * True if the property is used in practice but missing from the vendor's
   * reference.
   */
  readonly undocumented?: true;
  /**
   * Severity of the finding about a missing property; absent if the property is
   * optional.
   */
  readonly required?: "error" | "warning";
  /** First version that requires the property. Default: `since`. */
  readonly requiredSince?: string;
}

/**
 * Syntax of string values, such as URL, that several properties have in common.
 */
interface TextKind {
  readonly meaning: string;
  readonly pattern?: string;
  /** Types that are allowed in addition to strings. */
  readonly also?: readonly ValueType[];
  readonly code?: string;
}

/**
 * Row of the table that is used to detect the version of a file. The first row
 * that matches the file's properties determines the version.
 */
export interface DetectionRow {
  readonly version?: string;
  /**
   * True if the row matches any property that was introduced after the newest
   * supported version.
   */
  readonly later?: true;
  readonly any?: readonly string[];
  readonly none?: readonly string[];
  /** Paths of properties, at least two of which must be present. */
  readonly with?: readonly string[];
  readonly why: string;
}

/**
 * Condition of a rule: required property values, keyed by property. `*` means
 * any value.
 */
export type RuleCondition = Readonly<Record<string, string | boolean>>;

/**
 * Rule about several properties. Each kind of rule has its own check function
 * in rules/.
 */
export type CrossFieldRule =
  | {
      readonly rule: "alternatives";
      readonly code: string;
      readonly at: string;
      readonly groups: readonly (readonly string[])[];
      readonly what: string;
      readonly required?: true;
      /** True if more than one of `groups` may be set. */
      readonly shared?: true;
      readonly when?: RuleCondition;
      /** Paths of properties that may be set instead of one of `groups`. */
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
       * Value that must not be used in production. If this member is absent,
       * the property must be set in production.
       */
      readonly value?: boolean;
    };

/** Names and versions that are used to plan an upgrade. */
interface UpgradeConstants {
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

/** Content of generated/overrides/table.json, which all commands use. */
export interface PropertyTable {
  /**
   * Map from the name of a target, such as `1.3.6`, to its version in the
   * rules, such as `1.3`.
   */
  readonly targets: Readonly<Record<string, string>>;
  readonly defaultTarget: string;
  readonly kinds: Readonly<Record<string, TextKind>>;
  readonly detection: readonly DetectionRow[];
  readonly rules: readonly CrossFieldRule[];
  readonly upgrade: UpgradeConstants;
  readonly rows: readonly PropertyRow[];
}

/** Range of versions that support a property. */
interface VersionRange {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * Compares two versions. Returns a negative number if the first version is
 * older, zero if both are equal, and a positive number if the first is newer.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split(".").map(Number));
  for (let index = 0; index < 3; index++) {
    const difference = (left![index] ?? 0) - (right![index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Tests whether a property was introduced after the given version. */
export function isIntroducedAfter(
  { since }: VersionRange,
  version: string,
): boolean {
  return since !== undefined && compareVersions(since, version) > 0;
}

/**
 * Tests whether a property was removed in or before a version. `until: "1.2"`
 * means that every version 1.2.x supports the property.
 */
export function isRemovedIn({ until }: VersionRange, version: string): boolean {
  if (until === undefined) return false;
  const line = version.split(".").slice(0, until.split(".").length).join(".");
  return compareVersions(line, until) > 0;
}

/** Tests whether a version supports a property. */
export function isSupportedIn(version: string, span: VersionRange): boolean {
  return !isIntroducedAfter(span, version) && !isRemovedIn(span, version);
}
