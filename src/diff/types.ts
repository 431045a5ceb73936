/** Severities, most severe first. */
export const SEVERITIES = ["breaking", "warning", "info"] as const;

/** Effect of a change on one audience. */
export type Severity = (typeof SEVERITIES)[number];

/** Audiences of a change, in the order of verdicts in the table of rules. */
export const AUDIENCES = ["client", "server", "types"] as const;

/**
 * Audience of a change. `client`: deployed callers, which see requests and
 * responses. `server`: handlers written for the generated server. `types`:
 * callers that are compiled with the new output.
 */
export type Audience = (typeof AUDIENCES)[number];

/** Severities for `client`, `server` and `types`. */
export type Verdict = readonly [
  client: Severity,
  server: Severity,
  types: Severity,
];

/** Section of a changelog. `text` is for changes of descriptions. */
export type Kind = "removed" | "changed" | "added" | "deprecated" | "text";

/** Difference between two documents of an API, as in the JSON report. */
export interface Change {
  readonly rule: string;
  /**
   * 16 hexadecimal digits that are equal for the same change in other
   * revisions.
   */
  readonly fingerprint: string;
  readonly client: Severity;
  readonly server: Severity;
  readonly types: Severity;
  /** Id of the method that changed. */
  readonly method?: string;
  /** Id of the schema that changed, in the old document if it exists there. */
  readonly schema?: string;
  /**
   * JSON pointer into the new document, or into the old one if the new one does
   * not have the object.
   */
  readonly pointer: string;
  readonly message: string;
}

/** Change with the members that only reports for people contain. */
export interface DetailedChange extends Change {
  /** Name of the changed object, the first part of `message`. */
  readonly label: string;
  /** Second part of `message`. */
  readonly text: string;
  readonly kind: Kind;
  /** Document that `pointer` refers to. */
  readonly side: "old" | "new";
  /** Id of a method that uses the changed schema. */
  readonly usedBy?: string;
}

/**
 * Part of the version number that a release of the generated code must
 * increase.
 */
export type Bump = "major" | "minor" | "patch" | "none";

/** Differences between two documents of an API. */
export interface DiffResult<C extends Change = Change> {
  /** `<name>:<version>` */
  readonly api: string;
  /** Revision of the old document; null if the API was added. */
  readonly from: string | null;
  /** Revision of the new document; null if the API was removed. */
  readonly to: string | null;
  readonly bump: Bump;
  readonly changes: readonly C[];
}

/** Stability of an API version. */
export const STABILITIES = ["stable", "beta", "alpha"] as const;
export type Stability = (typeof STABILITIES)[number];

/** Options of `diffDocuments`. */
export interface DiffOptions {
  /**
   * Uses "Required." and "Output only." in descriptions for types. Default:
   * false.
   */
  readonly trustProse?: boolean | undefined;
  /**
   * Lowest stability whose breaking changes are reported as breaking; in less
   * stable versions they are warnings. Default: alpha, that is, all versions.
   */
  readonly stability?: Stability | undefined;
}
